/** The deployed entry: the app as the worker, what it does by the clock, and the two object classes. */
import { createApp } from "./app";
import "./number-kernel";
import { SPEC_TEXT } from "./spec-text";
import { type SweepEnv, sweep } from "./sweep";

export { AccountObject } from "../durable/account-object";
export { StoreObject } from "../durable/store-object";

const app = createApp(SPEC_TEXT);

export default {
  fetch: app.fetch,
  scheduled: (_: ScheduledController, env: SweepEnv) => sweep(env, Date.now()),
};
