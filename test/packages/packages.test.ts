/** What `npm run package` makes: that all is there, what is in it, and that it works where it is put. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDebianTree } from '../../scripts/lib/debian.mjs';
import { ensureWindowsTree } from '../../scripts/lib/dependencies.mjs';
import { partsFor } from '../../scripts/lib/package/folder.mjs';
import { makeMcpb } from '../../scripts/lib/package/mcpb.mjs';
import { makeMsi } from '../../scripts/lib/package/msi/make.mjs';
import { makePolicyZip } from '../../scripts/lib/package/policy.mjs';
import { isSigned, sign, verifyVendor } from '../../scripts/lib/package/sign.mjs';
import { ensurePackageTools } from '../../scripts/lib/package/tools.mjs';
import { makeThings } from '../../scripts/package.mjs';
import { packageJson } from '../../scripts/lib/places.mjs';
import { WindowsMachine, type Inventory } from '../support/installer.ts';
import { TEST_TLS } from '../support/tls.ts';
import { until } from '../support/until.ts';
import { wordsOf } from '../support/words.ts';

const run = promisify(execFile);
const { version } = packageJson() as { version: string };
const out = mkdtempSync(join(tmpdir(), 'uiahost-things-'));
const folder = join(out, `uiahost-${version}-win-x64`);
const msi = `${folder}.msi`;
const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const mostMsiBytes = 50 * 2 ** 20;

beforeAll(async () => {
  await makeThings({ out, downloads: 'https://files.example.org/uiahost/', mcpName: 'org.example/uiahost' });
});
afterAll(() => rmSync(out, { recursive: true, force: true, maxRetries: 5 }));

describe('[package.things] npm run package', () => {
  it('makes all that the table lists, with its checksums', () => {
    expect(readdirSync(out).toSorted()).toEqual(
      [
        'SHA256SUMS',
        `uiahost-${version}-win-x64`,
        `uiahost-${version}-win-x64.msi`,
        `uiahost-${version}-win-x64.zip`,
        `uiahost-${version}-win-x64.cdx.json`,
        `uiahost-${version}.mcpb`,
        `uiahost-${version}.server.json`,
        `uiahost-${version}.tgz`,
        `uiahost-client-${version}.tgz`,
        `uiahost-policy-${version}.zip`,
        'winget',
      ].toSorted(),
    );
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const files = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(sums).toHaveLength(files.length - 1);
    for (const line of sums) {
      const [sum, file] = line.split('  ');
      expect(sha256(join(out, file!))).toBe(sum);
    }
    expect(statSync(msi).size).toBeLessThan(mostMsiBytes);
    expect(readdirSync(join(folder, 'docs'))).not.toContain('wine.md');
  });

  it('makes the same MSI from the same sources, at another time and place', async () => {
    const again = join(out, 'again');
    cpSync(folder, join(again, 'elsewhere'), { recursive: true });
    const tools = await ensurePackageTools();
    await makeMsi({ tools, stage: join(again, 'elsewhere'), version, out: join(again, 'again.msi') });
    expect(sha256(join(again, 'again.msi'))).toBe(sha256(msi));
    rmSync(again, { recursive: true });
  });

  it('writes no manifest of an address that is not there, and for Arm a folder and a zip alone', async () => {
    await expect(makeThings({ out, only: ['winget'] })).rejects.toThrow('--download-url');
    await expect(makeThings({ out, only: ['server'], downloads: 'https://x.test' })).rejects.toThrow('--mcp-name');
    await expect(makeThings({ out, only: ['msi'], arch: 'arm64' })).rejects.toThrow('folder, zip, cdx alone');
  });

  it('makes the same archive from the same sources', async () => {
    for (const [name, make] of [
      [`uiahost-${version}.mcpb`, makeMcpb],
      [`uiahost-policy-${version}.zip`, makePolicyZip],
    ] as const) {
      const again = join(out, 'again.zip');
      await make(again);
      expect(sha256(again), name).toBe(sha256(join(out, name)));
      rmSync(again);
    }
  });

  it('gives the registry of MCP servers the hash of the bundle', () => {
    const server = JSON.parse(readFileSync(join(out, `uiahost-${version}.server.json`), 'utf8')) as {
      name: string;
      description: string;
      packages: unknown[];
    };
    expect(server).toMatchObject({ $schema: expect.stringContaining('/2025-12-11/'), version });
    // The registry's own bounds.
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
    expect(server.packages).toEqual([
      {
        registryType: 'mcpb',
        identifier: `https://files.example.org/uiahost/uiahost-${version}.mcpb`,
        version,
        fileSha256: sha256(join(out, `uiahost-${version}.mcpb`)),
        transport: { type: 'stdio' },
      },
    ]);
  });

  it('gives winget the hash of the MSI, and lists its contents by the lock', () => {
    const installer = readFileSync(join(out, 'winget/uiahost.uiahost.installer.yaml'), 'utf8');
    expect(installer).toContain(`InstallerSha256: ${sha256(msi).toUpperCase()}`);
    expect(installer).toMatch(/^- Architecture: x64$/m);
    expect(installer).toContain('ManifestVersion: 1.12.0');
    expect(readdirSync(join(out, 'winget')).toSorted()).toEqual(wordsOf`
      uiahost.uiahost.installer.yaml uiahost.uiahost.locale.de-DE.yaml uiahost.uiahost.locale.en-US.yaml
      uiahost.uiahost.yaml
    `);
    const list = JSON.parse(readFileSync(join(out, `uiahost-${version}-win-x64.cdx.json`), 'utf8')) as {
      bomFormat: string;
      metadata: {
        timestamp: string;
        tools: object;
        authors: unknown[];
        supplier: object;
        component: { components: Array<{ name: string; hashes: Array<{ content: string }> }> };
      };
      dependencies: Array<{ ref: string; dependsOn: string[] }>;
      components: Array<{
        name: string;
        group?: string;
        version: string;
        purl: string;
        cpe?: string;
        hashes?: unknown[];
        supplier?: { name: string };
        components?: Array<{ name: string; purl?: string; licenses?: unknown[] }>;
      }>;
    };
    expect(list.bomFormat).toBe('CycloneDX');
    // the least that NTIA asks of such a list
    expect(Object.keys(list.metadata)).toEqual(expect.arrayContaining(['timestamp', 'tools', 'authors', 'supplier']));
    expect(list.components.filter(({ supplier }) => !supplier?.name)).toEqual([]);
    const names = list.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(names).toEqual(
      expect.arrayContaining(['express', 'zod', 'koffi', 'node', 'preact', '@img/sharp-win32-x64']),
    );
    expect(names.filter((name) => /linux|darwin|android|bsd|arm64|ffi-rs|vitest|esbuild/.test(name))).toEqual([]);
    expect(list.components.every(({ hashes }) => hashes !== undefined)).toBe(true);
    const node = list.components.find(({ group, name }) => group === undefined && name === 'node')!;
    expect(node.cpe).toBe(`cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`);
    expect(node.components?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['openssl', 'v8', 'sqlite', 'zlib']),
    );
    const sharp = list.components.find(({ name }) => name === 'sharp-win32-x64')!;
    expect(sharp.components?.map(({ name }) => name)).toEqual(expect.arrayContaining(['vips', 'png', 'webp']));
    expect(sharp.components?.filter(({ purl, licenses }) => !purl || !licenses)).toEqual([]);
    const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licences).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(licences).toMatch(/^\| librsvg +\| LGPLv3/m);
    const files = list.metadata.component.components;
    const program = files.find(({ name }) => name === 'uiahost.exe')!;
    expect(program.hashes[0]!.content).toBe(sha256(join(folder, 'uiahost.exe')));
    const express = list.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/express@'))!;
    expect(express.dependsOn.join()).toContain('pkg:npm/router@');
  });
});

describe('signatures', () => {
  it('the vendor’s of node.exe is verified; a changed or unsigned file stops the build', async () => {
    const tools = await ensurePackageTools();
    const { node } = partsFor('x64', await ensureWindowsTree(), '');
    await verifyVendor(tools, node);
    const changed = join(out, 'changed.exe');
    copyFileSync(node, changed);
    const middle = Math.floor(statSync(changed).size / 2);
    writeSync(openSync(changed, 'r+'), Buffer.from('changed'), 0, 7, middle);
    await expect(verifyVendor(tools, changed)).rejects.toThrow(/is not the Node that its vendor published/);
    const unsigned = join(folder, 'dist/node_modules/@koromix/koffi-win32-x64/win32_x64/koffi.node');
    await expect(verifyVendor(tools, unsigned)).rejects.toThrow(/it has no signature/);
    rmSync(changed);
  });

  it('are put on the MSI by --sign, with the certificate’s details', async () => {
    const tools = await ensurePackageTools();
    const certificate = join(out, 'certificate.pem');
    writeFileSync(certificate, `${TEST_TLS.key}\n${TEST_TLS.cert}\n`);
    const signed = join(out, 'signed.msi');
    copyFileSync(msi, signed);
    await sign(tools, signed, { certificate, timestamp: null });
    const { stdout } = await run(tools.osslsigncode, ['verify', '-in', signed, '-CAfile', certificate]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toMatch(/MsiDigitalSignatureEx/i);
    expect(stdout).toMatch(/Signer's certificate/);
    rmSync(signed);
    rmSync(certificate);
  });

  it('are made by a key that never leaves its token', async () => {
    const tools = await ensurePackageTools();
    const tree = await ensureDebianTree({
      name: 'test-token',
      packages: wordsOf`
        softhsm2 softhsm2-common libsofthsm2 libbotan-3-7 libsqlite3-0 libssl3t64 libbz2-1.0 liblzma5 zlib1g
      `,
      programs: ['usr/bin/softhsm2-util'],
      revision: 1,
    });
    const place = join(out, 'token');
    mkdirSync(join(place, 'tokens'), { recursive: true });
    const at = (name: string, text: string): string => {
      writeFileSync(join(place, name), text);
      return join(place, name);
    };
    process.env['SOFTHSM2_CONF'] = at('softhsm2.conf', `directories.tokendir = ${join(place, 'tokens')}\n`);
    const module = join(tree, 'usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so');
    const util = (...words: string[]): Promise<unknown> =>
      run(join(tree, 'usr/bin/softhsm2-util'), ['--module', module, '--pin', '1234', ...words]);
    await util('--init-token', '--free', '--label', 'test', '--so-pin', '1234');
    await util('--import', at('key.pem', TEST_TLS.key), '--token', 'test', '--label', 'key', '--id', '01');
    const signed = join(place, 'signed.dll');
    copyFileSync(join(folder, 'dist/node_modules/@koromix/koffi-win32-x64/win32_x64/koffi.node'), signed);
    await sign(tools, signed, {
      certificate: at('chain.pem', TEST_TLS.cert),
      token: { module, key: 'pkcs11:token=test;object=key' },
      passwordFile: at('pin', '1234'),
      timestamp: null,
    });
    expect(await isSigned(tools, signed)).toBe(true);
    delete process.env['SOFTHSM2_CONF'];
    rmSync(place, { recursive: true });
  });
});

describe('the npm package, installed from its tarball into an empty folder', () => {
  let place: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    place = join(out, 'npm');
    mkdirSync(place);
    env = { ...process.env, UIAHOST_DATA_DIR: join(place, 'data'), npm_config_cache: join(place, 'cache') };
    for (const name of Object.keys(env))
      if (/^npm_(?!config_cache)/.test(name) || name === 'INIT_CWD') delete env[name];
    writeFileSync(join(place, 'package.json'), '{ "name": "empty", "private": true }');
    await run('npm', ['install', '--no-audit', '--no-fund', join(out, `uiahost-${version}.tgz`)], { cwd: place, env });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const npx = async (input: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const child = run('npx', ['--no-install', 'uiahost', ...words], { cwd: place, env });
    child.child.stdin?.end(input);
    return child.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  };

  it('has built code, no tests, no sources and no parts for Linux', () => {
    const own = join(place, 'node_modules/uiahost');
    expect(readdirSync(own).toSorted()).toEqual(
      wordsOf`CHANGELOG.md LICENSE README.md THIRD-PARTY-LICENSES.txt bin dist package.json schemas`,
    );
    const all = readdirSync(join(place, 'node_modules'), { recursive: true, encoding: 'utf8' });
    expect(all.filter((file) => /linux|darwin|ffi-rs|\.map$/.test(file))).toEqual([]);
    const { optionalDependencies, dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    expect(Object.keys(optionalDependencies).every((name) => /win/.test(name))).toBe(true);
    expect(Object.values(optionalDependencies).every((its) => /^\d+\.\d+\.\d+$/.test(its))).toBe(true);
  });

  it('has uiahost/client with its types, which any Node from 20 on imports', async () => {
    const program = `const { UiaHostClient, HostNotFoundError, AnthropicComputer, OpenAIComputer, Toolset } = await import('uiahost/client');
      const error = await UiaHostClient.connect({ dataDirectory: 'none' }).catch((thrown) => thrown);
      console.log(error instanceof HostNotFoundError, error.code, [AnthropicComputer, OpenAIComputer, Toolset].every((each) => typeof each === 'function'));`;
    const { stdout } = await run('node', ['--input-type=module', '-e', program], { cwd: place, env });
    expect(stdout.trim()).toBe('true host_not_found true');
    const types = readFileSync(join(place, 'node_modules/uiahost/dist/types/client.d.ts'), 'utf8');
    expect(types).toContain('class UiaHostClient');
    expect(types).not.toMatch(/^import /m);
  });

  it('runs npx uiahost: its version, doctor, and the bridge', async () => {
    expect((await npx('', '--version')).stdout.trim()).toBe(version);
    const doctor = await npx('', 'doctor');
    expect(doctor.code).not.toBe(0);
    expect(doctor.stderr + doctor.stdout).toMatch(/No host runs|uiahost start/);
    const initialize = {
      jsonrpc: '2.0',
      id: 7,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const answer = JSON.parse((await npx(`${JSON.stringify(initialize)}\n`, 'mcp')).stdout) as {
      id: number;
      result?: { serverInfo: { name: string } };
    };
    // The handshake needs no host, so that a client can be set up before one runs.
    expect(answer).toMatchObject({ id: 7, result: { serverInfo: { name: 'uiahost' } } });
  });

  it('is imported by a program, and says where it cannot run', async () => {
    const script = join(place, 'program.mjs');
    writeFileSync(
      script,
      `import { createComputerExecutor, securityPolicy } from 'uiahost';
console.log(typeof createComputerExecutor, typeof securityPolicy);
await createComputerExecutor().catch((error) => console.log(error.code, error.message));
`,
    );
    const { stdout } = await run(process.execPath, [script], { cwd: place, env });
    expect(stdout.split('\n')).toEqual(['function function', expect.stringMatching(/^unsupported .*Windows/), '']);
  });
});

describe('the MSI on a Windows machine', () => {
  let machine: WindowsMachine;
  let before: Inventory;
  beforeAll(async () => {
    machine = await WindowsMachine.start();
    before = await machine.inventory();
  });
  afterAll(async () => machine[Symbol.asyncDispose]());

  it('undoes an installation with PORT=70000, and names the step', async () => {
    const { status, log } = await machine.install(msi, 'PORT=70000');
    expect(status).not.toBe(0);
    expect(log).toMatch(/Action ended .*: CheckPORT\. Return value 0/);
    expect(await machine.inventory()).toEqual(before);
  });

  it.each([['LEVEL=root'], ['POLICYFILE=policy.json']])(
    '[package.msi.values] refuses %s with a message that names it, and leaves nothing behind',
    async (given) => {
      const [name, value] = given.split('=');
      const { status, log } = await machine.install(msi, given);
      expect(status).not.toBe(0);
      expect(log).toContain(`REFUSAL = ${name} is "${value}"`);
      expect(await machine.inventory()).toEqual(before);
    },
  );

  it('[package.msi.installs] installs with /qn, and the installed host is used', async () => {
    const { status, log } = await machine.install(msi, 'PORT=7511', 'LEVEL=observe');
    expect(status, log.slice(-3000)).toBe(0);
    const after = await machine.inventory();
    const installed = after.files.filter((file) => file.startsWith('Program Files/uiahost/'));
    expect(installed).toHaveLength(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
    );
    expect(await machine.serviceState()).toBe('RUNNING');
    expect(after.services).toContain(
      '"C:\\Program Files\\uiahost\\uiahost.exe" "C:\\Program Files\\uiahost\\dist\\service.mjs" run',
    );
    expect(after.path).toContain('C:\\Program Files\\uiahost');
    const settings = await machine.registry('HKLM\\SOFTWARE\\uiahost');
    const entry = await machine.registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall');
    for (const [text, name, value] of [
      [settings, 'Port', '7511'],
      [settings, 'Level', 'observe'],
      [settings, 'Version', version],
      [entry, 'DisplayName', 'uiahost'],
      [entry, 'DisplayVersion', version],
      [entry, 'Publisher', 'uiahost'],
    ] as const)
      expect(text).toMatch(new RegExp(`\\b${name}\\s+REG_SZ\\s+${value}`));
    expect(await machine.registry('HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\uiahost')).toMatch(
      /EventMessageFile\s+REG_EXPAND_SZ/,
    );
    expect(JSON.parse(readFileSync(machine.file('C:\\ProgramData\\uiahost\\policy.json'), 'utf8'))).toEqual({
      level: 'observe',
    });

    const data = machine.userFolder('AppData\\Local\\uiahost');
    const url = 'http://127.0.0.1:7511';
    const health = (): Promise<number> =>
      fetch(`${url}/healthz`).then(
        ({ status: its }) => its,
        () => 0,
      );
    expect(await until(health, (its) => its === 200, 60_000)).toBe(200);
    const token = readFileSync(join(data, 'agent.token'), 'utf8').trim();
    expect(log).not.toContain(token);
    machine.desktop.run('notepad.exe');
    const bind = (): Promise<{ value?: { hwnd?: unknown } }> =>
      fetch(`${url}/v1/actions/bind-to-window`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Notepad' }),
      }).then((answer) => answer.json() as Promise<{ value?: { hwnd?: unknown } }>);
    expect((await until(bind, ({ value }) => value?.hwnd !== undefined, 30_000)).value?.hwnd).toBeDefined();
  });

  it('[package.msi.removes] removes everything it installed, and names what stays', async () => {
    const { status, log } = await machine.msiexec('/x', msiOnWindows());
    expect(status, log.slice(-3000)).toBe(0);
    expect(log).toMatch(/KEPTDATA = .*%LOCALAPPDATA%\\uiahost.*C:\\ProgramData\\uiahost/);
    expect(existsSync(join(machine.userFolder('AppData\\Local\\uiahost'), 'audit'))).toBe(true);
    const end = await machine.inventory();
    const left = end.files.filter((file) => !before.files.includes(file));
    expect(left.filter((file) => !file.startsWith('ProgramData/uiahost/'))).toEqual([]);
    expect(left).toContain('ProgramData/uiahost/policy.json');
    expect({ ...end, files: [] }).toEqual({ ...before, files: [] });
  });

  const msiOnWindows = (): string => `Z:${msi.replaceAll('/', '\\')}`;
});
