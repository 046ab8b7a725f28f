// What is inside, as CycloneDX (cyclonedx.org), and the checksums of what was made.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageJson, root } from '../places.mjs';
import { packagesInside } from './folder.mjs';
import { filesBelow, guidOf } from './msi/files.mjs';
import { sha256 } from './zip.mjs';

const exec = promisify(execFile);

/** Parts of Node by their names in `process.versions`, as vulnerability databases call them; the rest are tables and interfaces. */
const nodeParts = {
  acorn: null,
  ada: null,
  ares: 'c-ares:c-ares',
  brotli: 'google:brotli',
  icu: 'icu-project:international_components_for_unicode',
  llhttp: 'llhttp:llhttp',
  nghttp2: 'nghttp2:nghttp2',
  nghttp3: null,
  ngtcp2: null,
  openssl: 'openssl:openssl',
  simdjson: null,
  simdutf: null,
  sqlite: 'sqlite:sqlite',
  undici: 'nodejs:undici',
  uv: 'libuv:libuv',
  v8: 'google:v8',
  zlib: 'zlib:zlib',
  zstd: 'facebook:zstandard',
};
/** The libraries in sharp's libvips, likewise. */
const imageParts = {
  aom: 'aomedia:aomedia',
  archive: 'libarchive:libarchive',
  cairo: 'cairographics:cairo',
  exif: 'libexif_project:libexif',
  expat: 'libexpat_project:libexpat',
  ffi: 'libffi_project:libffi',
  fontconfig: 'fontconfig_project:fontconfig',
  freetype: 'freetype:freetype',
  fribidi: 'gnu:fribidi',
  glib: 'gnome:glib',
  harfbuzz: 'harfbuzz_project:harfbuzz',
  heif: 'struktur:libheif',
  lcms: 'littlecms:little_cms',
  mozjpeg: 'mozilla:mozjpeg',
  pango: 'gnome:pango',
  pixman: 'pixman:pixman',
  png: 'libpng:libpng',
  rsvg: 'gnome:librsvg',
  tiff: 'libtiff:libtiff',
  vips: 'libvips:libvips',
  webp: 'webmproject:libwebp',
  xml2: 'xmlsoft:libxml2',
};
/** Without what a distributor adds to a version, which the databases do not know. */
const cpe = (name, version) => `cpe:2.3:a:${name}:${version.replace(/-.*$/, '')}:*:*:*:*:*:*:*`;

/**
 * Writes the list of everything that is in a package's folder. Its time is that of the sources, so the same sources give the
 * same bytes.
 * @param {string} file
 * @param {object} made
 * @param {import('./folder.mjs').Parts} made.parts
 * @param {string} made.folder
 * @param {string} made.arch
 */
export async function writeContents(file, { parts, folder, arch }) {
  const { name, version, description, license } = packageJson();
  const inside = packagesInside(parts);
  const versions = JSON.parse((await exec(parts.maker, ['-p', 'JSON.stringify(process.versions)'])).stdout);
  const components = inside.map((each) => componentOf(each, parts, versions));
  const files = await filesIn(folder);
  const own = refOf(name, version);
  const present = new Map(inside.map((each) => [each.name, refOf(each.name, each.version)]));
  const list = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${guidOf(`contents ${version} ${arch} ${JSON.stringify([components, files])}`).toLowerCase()}`,
    version: 1,
    metadata: {
      ...(await timeOfSources()),
      tools: { components: [{ type: 'application', name: 'scripts/package.mjs', version, publisher: MAKER }] },
      authors: [{ name: MAKER }],
      supplier: { name: MAKER },
      component: {
        type: 'application',
        'bom-ref': own,
        supplier: { name: MAKER },
        name,
        version,
        description,
        purl: own,
        licenses: [{ expression: license }],
        components: files,
      },
      properties: [{ name: 'uiahost:architecture', value: arch }],
    },
    components,
    dependencies: [
      { ref: own, dependsOn: [...present.values()] },
      ...inside.map((each) => ({
        ref: refOf(each.name, each.version),
        dependsOn: each.needs.flatMap((needed) => present.get(needed) ?? []).sort(),
      })),
    ],
  };
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
}

const MAKER = 'The uiahost maintainers';

/** SOURCE_DATE_EPOCH (reproducible-builds.org), else the commit's time; none where neither is known. */
async function timeOfSources() {
  const committed = async () => (await exec('git', ['log', '-1', '--format=%ct'], { cwd: root })).stdout;
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? (await committed().catch(() => '')));
  return seconds > 0 ? { timestamp: new Date(seconds * 1000).toISOString() } : {};
}

const refOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * A package, with the parts inside it.
 * @param {import('./folder.mjs').Inside} inside
 * @param {import('./folder.mjs').Parts} parts
 * @param {Record<string, string>} versions
 */
function componentOf({ name, version, license, integrity, folder }, { nodePackage }, versions) {
  const isNode = name === nodePackage;
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const ref = refOf(name, version);
  const parts = isNode ? nodeComponents(versions, ref) : libraryComponents(folder, ref);
  return {
    type: isNode ? 'application' : 'library',
    'bom-ref': ref,
    ...(group ? { group } : {}),
    supplier: { name: isNode ? 'OpenJS Foundation' : supplierOf(folder, name) },
    name: isNode ? 'node' : short,
    version,
    purl: ref,
    ...(isNode ? { cpe: cpe('nodejs:node.js', version), publisher: 'OpenJS Foundation' } : {}),
    ...(isNode
      ? {
          licenses: [
            { license: { id: license } },
            { license: { name: 'Those of its parts: THIRD-PARTY-LICENSES.txt' } },
          ],
        }
      : license
        ? { licenses: [{ expression: license }] }
        : {}),
    ...(integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
    ...(parts.length > 0 ? { components: parts } : {}),
  };
}

/** Who a package names as its author, else who publishes it. */
function supplierOf(folder, name) {
  const { author, maintainers, repository } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const named = [author, ...(maintainers ?? [])].map((who) => (typeof who === 'string' ? who : who?.name));
  const at = /[/:]([^/:]+)\/[^/]+$/.exec(repository?.url ?? repository ?? '')?.[1];
  return named.find(Boolean)?.replace(/\s*[<(].*$/, '') || at || `publishers of ${name}`;
}

const nodeComponents = (versions, ref) =>
  Object.entries(nodeParts).flatMap(([name, product]) => {
    const version = versions[name];
    if (!version) return [];
    const known = product === null ? {} : { cpe: cpe(product, version) };
    return [{ type: 'library', 'bom-ref': `${ref}#${name}`, name, version, ...known }];
  });

/** sharp's packages name the libraries that libvips was built with. */
function libraryComponents(folder, ref) {
  const file = path.join(folder, 'versions.json');
  if (!existsSync(file)) return [];
  const licences = licencesIn(readFileSync(path.join(folder, 'README.md'), 'utf8'));
  return Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, version]) => {
    const licence = licences.get(name) ?? licences.get(`lib${name === 'uhdr' ? 'ultrahdr' : name}`);
    if (licence === undefined) throw new Error(`${folder}: README.md names no licence of ${name}.`);
    return {
      type: 'library',
      'bom-ref': `${ref}#${name}`,
      name,
      version,
      purl: `pkg:generic/${name}@${version}`,
      ...(imageParts[name] === undefined ? {} : { cpe: cpe(imageParts[name], version) }),
      licenses: [{ license: licence === 'LGPLv3' ? { id: 'LGPL-3.0-or-later' } : { name: licence } }],
    };
  });
}

/** Library → its licence, from the table in sharp's README. */
const licencesIn = (readme) =>
  new Map(
    [...readme.matchAll(/^\| ([a-z][\w-]*) +\| (.+?) +\|$/gm)].map(([, name, terms]) => [
      name,
      terms.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
    ]),
  );

/** Machine code, by which administrators allow it. */
const filesIn = (folder) =>
  Promise.all(
    filesBelow(folder)
      .filter((name) => /\.(exe|dll|node)$/.test(name))
      .map(async (name) => ({
        type: 'file',
        'bom-ref': `file:${name}`,
        name,
        hashes: [{ alg: 'SHA-256', content: await sha256(path.join(folder, name)) }],
      })),
  );

/** Writes SHA256SUMS as sha256sum does, for `sha256sum --check`. */
export async function writeSums(out, files) {
  const lines = [];
  for (const file of [...files].sort()) lines.push(`${await sha256(path.join(out, file))}  ${file}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), lines.join(''));
}
