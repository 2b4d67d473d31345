/** `table-search watch` on a terminal with a small window. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useWorld } from '../client/world.ts';
import { plain, TABLE_SEARCH } from '../support/tableSearch.ts';

/** Runs the command in a window of 12 lines, prints its first screen, and ends it by Ctrl-C. */
const IN_WINDOW = `
import fcntl, os, pty, signal, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 12, 60, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b''
while seen.count(b'\\n') < 11:
    seen += os.read(terminal, 65536)
sys.stdout.buffer.write(seen)
os.kill(child, signal.SIGINT)
while os.waitpid(child, os.WNOHANG) == (0, 0):
    pass
`;

describe('table-search watch on a terminal', function watching() {
  this.timeout(60_000);
  const world = useWorld();

  it('draws its answer from the top of the window, no longer than that', async () => {
    const args = ['watch', 'tasks', '--facet', 'worker', '--facet', 'status', '-n', '5'];
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', IN_WINDOW, ...TABLE_SEARCH, ...args],
      {
        timeout: 30_000,
        env: {
          PATH: process.env.PATH,
          TERM: 'xterm-256color',
          LANG: 'C.UTF-8',
          TABLE_SEARCH_URL: world.service.url,
          TABLE_SEARCH_TOKEN: await world.service.token(1, true),
        },
      },
    );
    const [, screen] = plain(stdout).split('\u001b[H\u001b[2J');
    const lines = screen!.trimEnd().split(/\r?\n/);
    expect(lines.length).equal(11);
    expect(lines[0]).match(/^60 rows · as of .* · Ctrl-C ends it$/);
  });
});
