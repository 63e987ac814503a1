/**
 * An npm lockfile (version 2 or 3) as DKE programs: one `remember` a fact, sourced to the lockfile.
 *
 * A package is named by where it is installed (`vite/node_modules/esbuild`), because one lockfile may hold a name in
 * several versions; the root is `.`. An edge goes where Node's resolution would find the dependency: the nearest
 * `node_modules` upwards. Optional packages that the lockfile does not hold are left out, as npm leaves them out.
 */

/** @typedef {{ id: string, name: string, version: string, license: string | null, requires: string[] }} Installed */

/** Everything a lockfile installs, the root first, then by name. @returns {Installed[]} */
export function installedPackages(lock) {
  const entries = lock.packages;
  const ids = Object.keys(entries).filter((path) => !entries[path].link);
  return ids.map((path) => {
    const p = entries[path];
    const wanted = Object.keys({
      ...p.dependencies,
      ...p.optionalDependencies,
      ...(path === "" ? p.devDependencies : {}),
      ...p.peerDependencies,
    });
    const requires = wanted.map((name) => resolve(entries, path, name)).filter((found) => found !== null);
    return {
      id: idOf(path),
      name: path === "" ? (p.name ?? lock.name) : (p.name ?? path.slice(path.lastIndexOf("node_modules/") + 13)),
      version: p.version ?? "0.0.0",
      license: typeof p.license === "string" ? p.license : null,
      requires: [...new Set(requires)].map(idOf).sort(),
    };
  });
}

function idOf(path) {
  return path === "" ? "." : path.replace(/^node_modules\//, "");
}

/** The path `name` resolves to from a package installed at `from`, or null. */
function resolve(entries, from, name) {
  for (let at = from; ; ) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (entries[path]) return path;
    if (at === "") return null;
    const up = at.lastIndexOf("/node_modules/");
    at = up < 0 ? "" : at.slice(0, up);
  }
}

/**
 * The programs that record all of it, each at most `factsMax` facts, in an order that does not depend on the machine.
 * @param {Installed[]} packages @returns {string[]}
 */
export function lockfilePrograms(packages, source = "package-lock.json", factsMax = 400) {
  const q = JSON.stringify;
  const facts = [];
  for (const p of packages) {
    facts.push(
      `remember(Package[${q(p.id)}].name, ${q(p.name)}, source)`,
      `remember(Package[${q(p.id)}].version, ${q(p.version)}, source)`,
    );
    if (p.license !== null) facts.push(`remember(Package[${q(p.id)}].licence, Licence[${q(p.license)}], source)`);
    for (const r of p.requires) facts.push(`remember(Package[${q(p.id)}].requires, Package[${q(r)}], source)`);
  }
  const programs = [];
  for (let i = 0; i < facts.length; i += factsMax)
    programs.push([`import dependencies`, `source = ${q(source)}`, ...facts.slice(i, i + factsMax), ""].join("\n"));
  return programs;
}
