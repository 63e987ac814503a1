/** What the objects take from `cloudflare:workers`, where they run in Node: vitest.config.ts names this file in its place. */
export class DurableObject<Env> {
  protected readonly ctx: unknown;
  protected readonly env: Env;
  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}
