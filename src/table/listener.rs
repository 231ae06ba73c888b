//! Connections of the server: so many at once, and none that is silent for
//! ever.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use super::limits::{CONNECTIONS, SILENCE};

/// A listener that accepts no more connections than it has room for.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl Door {
    /// The door at which `listener` listens.
    pub fn new(listener: TcpListener) -> Self {
        Self { listener, room: Arc::new(Semaphore::new(CONNECTIONS)) }
    }
}

impl Listener for Door {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        /// What may be wrong for a while, such as no more files to open.
        const PAUSE: Duration = Duration::from_millis(100);
        loop {
            // Closed only when everything ends.
            let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else {
                sleep(PAUSE).await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Small messages are not to wait for larger ones.
                    let _ = stream.set_nodelay(true);
                    let silence = Box::pin(sleep(SILENCE));
                    return (Guest { stream, silence, _permit: permit }, address);
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when it has been silent for too long.
#[derive(Debug)]
pub struct Guest {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for Guest {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => match self.silence.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Err(ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
            ready => {
                self.silence.as_mut().reset(Instant::now() + SILENCE);
                ready
            }
        }
    }
}

impl AsyncWrite for Guest {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
