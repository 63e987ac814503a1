import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** For tests that run the objects in Node. */
const OBJECTS_IN_NODE = { "cloudflare:workers": fileURLToPath(new URL("test/worker/cloudflare-workers.ts", import.meta.url)) };

/** As every bundler of ours does it: a page in Markdown is its text. */
const MARKDOWN_AS_TEXT = {
  name: "markdown-as-text",
  enforce: "pre" as const,
  transform: (text: string, path: string) => (path.endsWith(".md") ? `export default ${JSON.stringify(text)};` : null),
};

// pure: plain Node, milliseconds each. service: over HTTP against one shared workerd, started once.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          setupFiles: ["test/lang/number-kernel.ts"],
          include: ["test/{lang,engine,tools,request,clients,picture,tidy}/**/*.test.ts"],
          pool: "threads",
          isolate: false,
          testTimeout: 180_000,
        },
      },
      {
        plugins: [MARKDOWN_AS_TEXT],
        resolve: { alias: OBJECTS_IN_NODE },
        test: {
          name: "service",
          include: ["test/{durable,dashboard,worker,e2e}/**/*.test.ts"],
          globalSetup: ["test/service.ts"],
          setupFiles: ["test/fresh-connections.ts"],
          pool: "threads",
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
