/**
 * Every request of a test on a connection of its own. The runtime ends one that was idle for five seconds without a header
 * that could announce it; on a busy machine a kept connection meets that end, and the test fails for what it does not test.
 */
import { Agent, setGlobalDispatcher } from "undici";

setGlobalDispatcher(new Agent({ pipelining: 0 }));
