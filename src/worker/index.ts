/** The deployed entry: the app as the worker, and the two object classes. */
import { createApp } from "./app";
import "./number-kernel";
import { SPEC_TEXT } from "./spec-text";

export { AccountObject } from "../durable/account-object";
export { StoreObject } from "../durable/store-object";

export default createApp(SPEC_TEXT);
