//! A level that catches up with its scene on a thread of its own.

use super::level::{Change, Level};
use super::threads::spawn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use wayfare::context::Budget;
use wayfare::mesh::NavMesh;

/// Cells of work after which a job looks whether it is still wanted.
const SLICE: Budget = Budget::new(100_000);

/// What a job has to say.
pub enum News {
    /// Nothing yet.
    None,
    /// The mesh with the tiles announced that are about to change.
    Announced(NavMesh),
    /// It is done.
    Finished(Box<Level>),
    /// The thread is gone without an answer.
    Lost,
}

enum Message {
    Announced(NavMesh),
    Finished(Box<Level>),
}

impl From<Message> for News {
    fn from(message: Message) -> Self {
        match message {
            Message::Announced(mesh) => Self::Announced(mesh),
            Message::Finished(level) => Self::Finished(level),
        }
    }
}

/// A job on its thread. It ends early when this is dropped.
pub struct Job {
    messages: Receiver<Message>,
    /// In thousandths.
    done: Arc<AtomicU32>,
    is_unwanted: Arc<AtomicBool>,
}

impl Job {
    /// Begins one.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn begin(level: Box<Level>, changes: Vec<Change>) -> Result<Self, String> {
        let (sender, messages) = channel();
        let done = Arc::new(AtomicU32::new(0));
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let (its_done, its_unwanted) = (Arc::clone(&done), Arc::clone(&is_unwanted));
        let work = move || catch_up(level, changes, &sender, (&its_done, &its_unwanted));
        spawn(work)?;
        Ok(Self { messages, done, is_unwanted })
    }

    /// How much is done, 0…1.
    #[must_use]
    pub fn done(&self) -> f32 {
        self.done.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// What has happened since this was last asked.
    #[must_use]
    pub fn news(&self) -> News {
        match self.messages.try_recv() {
            Ok(message) => message.into(),
            Err(TryRecvError::Empty) => News::None,
            Err(TryRecvError::Disconnected) => News::Lost,
        }
    }

    /// The same, and waits until something happens.
    #[must_use]
    pub fn wait(&self) -> News {
        self.messages.recv().map_or(News::Lost, News::from)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

fn catch_up(
    mut level: Box<Level>,
    changes: Vec<Change>,
    sender: &Sender<Message>,
    (done, is_unwanted): (&AtomicU32, &AtomicBool),
) {
    level.apply(changes);
    // Nobody listens where the job was dropped.
    let _ = sender.send(Message::Announced(level.mesh().clone()));
    loop {
        let stepped = level.step(SLICE);
        if stepped.is_finished() {
            break;
        }
        done.store((stepped.progress.share() * 1000.0) as u32, Ordering::Relaxed);
        if is_unwanted.load(Ordering::Relaxed) {
            return;
        }
    }
    let _ = sender.send(Message::Finished(level));
}
