/** `table-search watch` on a terminal whose window changes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import stringWidth from 'string-width';
import { useWorld } from '../client/world.ts';
import { plain, TABLE_SEARCH } from '../support/tableSearch.ts';

/**
 * Runs the command in a window of 40 lines and 120 cells, makes that 12 and 60 once a screen is
 * drawn, and ends the command by Ctrl-C. Prints both screens, a form feed between them.
 */
const RESIZED = `
import fcntl, os, pty, signal, struct, sys, termios
def resize(of, lines, cells):
    fcntl.ioctl(of, termios.TIOCSWINSZ, struct.pack('HHHH', lines, cells, 0, 0))
child, terminal = pty.fork()
if child == 0:
    resize(1, 40, 120)
    os.execvp(sys.argv[1], sys.argv[1:])
clear = b'\\x1b[H\\x1b[2J'
seen = b''
def until(enough):
    global seen
    while not enough(seen):
        seen += os.read(terminal, 65536)
until(lambda all: b'Ctrl-C ends it' in all and b'worker-4' in all)
first = seen
seen = b''
resize(terminal, 12, 60)
until(lambda all: b'more lines' in all)
sys.stdout.buffer.write(first + b'\\f' + seen)
os.kill(child, signal.SIGINT)
while os.waitpid(child, os.WNOHANG) == (0, 0):
    pass
`;

describe('table-search watch on a terminal', function watching() {
  this.timeout(60_000);
  const world = useWorld();

  it('draws its last answer again when the window changes, no larger than it', async () => {
    const args = ['watch', 'tasks', '--facet', 'worker', '--facet', 'status', '-n', '5'];
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', RESIZED, ...TABLE_SEARCH, ...args],
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
    const [wide, narrow] = plain(stdout)
      .split('\f')
      .map((screen) => screen.split('\u001b[H\u001b[2J').at(-1)!.trimEnd().split(/\r?\n/));
    expect(wide!.length).most(39);
    expect(narrow!.length).most(11);
    expect(narrow![0]).match(/^60 rows · as of /);
    expect(narrow!.at(-1)).match(/^… \d+ more lines$/);
    for (const line of narrow!) expect(stringWidth(line), line).most(60);
  });
});
