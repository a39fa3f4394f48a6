// The providers' CDK packages, as archives in a cache. Unpacked they are 700 MB; as archives 69 MB,
// and of those only the folders of the resource types in use are unpacked.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FETCH_MS_MAX = 300_000;

/** Where archives and unpacked folders are kept between runs. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return process.env.SEATFAST_CACHE || path.join(base, 'seatfast', 'terraform');
}

/** One package in the cache, of the version and with the hash that the lock file names. */
export class ProviderPackage {
  constructor(name, lock, cache = cacheFolder()) {
    const locked = lock.packages[`node_modules/${name}`];
    this.name = name;
    this.version = locked.version;
    this.integrity = locked.integrity;
    const stem = `${name.replace('@', '').replace('/', '-')}-${locked.version}`;
    this.cache = cache;
    this.archive = path.join(cache, `${stem}.tgz`);
    this.folder = path.join(cache, stem);
  }

  /** Fetches the archive unless it is there. Throws if it isn't the one that the lock file names. */
  async fetch() {
    if (existsSync(this.archive)) return;
    console.log(`fetching ${this.name} ${this.version} into ${this.cache}, once`);
    const temporary = path.join(this.cache, `fetch-${process.pid}`);
    mkdirSync(temporary, { recursive: true });
    try {
      const { stdout } = await run(
        'npm',
        ['pack', `${this.name}@${this.version}`, '--silent', '--pack-destination', temporary],
        { timeout: FETCH_MS_MAX },
      );
      const fetched = path.join(temporary, stdout.trim().split('\n').at(-1));
      const hash = `sha512-${createHash('sha512').update(readFileSync(fetched)).digest('base64')}`;
      if (hash !== this.integrity) throw new Error(`${this.name}: not the package that package-lock.json names`);
      renameSync(fetched, this.archive);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  /**
   * The files of some of the package's folders.
   *
   * @param names such as lambda-function or data-aws-region
   * @return name -> {code, types}; without those that the package doesn't have
   */
  async read(names) {
    const missing = names.filter((name) => !existsSync(this.file(name, 'index.js')));
    if (missing.length > 0) await this.unpack(missing);
    const found = names.filter((name) => existsSync(this.file(name, 'index.js')));
    return new Map(found.map((name) => [name, this.texts(name)]));
  }

  file(name, file) {
    return path.join(this.folder, 'package', 'lib', name, file);
  }

  texts(name) {
    return {
      code: readFileSync(this.file(name, 'index.js'), 'utf8'),
      types: readFileSync(this.file(name, 'index.d.ts'), 'utf8'),
    };
  }

  async unpack(names) {
    await this.fetch();
    mkdirSync(this.folder, { recursive: true });
    const members = names.flatMap((name) => ['js', 'd.ts'].map((end) => `package/lib/${name}/index.${end}`));
    try {
      await run('tar', ['-xzf', this.archive, '-C', this.folder, ...members], { timeout: FETCH_MS_MAX });
    } catch (error) {
      // A member that isn't there is an answer: the provider has no such type.
      if (!/Not found in archive/i.test(error.stderr)) throw error;
    }
  }
}
