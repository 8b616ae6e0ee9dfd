/**
 * One worker of a pool in a browser. It is built as one file without imports, so that it works wherever it is copied, and
 * bundlers need not divide it.
 */
import { answer } from "./pool.answer.js";
import type { Message } from "./pool.answer.js";

self.onmessage = async (event: MessageEvent<Message>) => self.postMessage(await answer(event.data));
