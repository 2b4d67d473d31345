/** The whole document of a record: a tree that can be searched and copied. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Row } from '../../present/answer.ts';
import { failureText } from '../../present/failureText.ts';
import { finderOf } from '../../present/highlight.ts';
import { type Node, pruned, treeOf } from '../../present/tree.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { marked } from '../table/Cell.tsx';
import { Folded, isLong } from './Folded.tsx';

interface Given {
  readonly id: string;
  /** Asks anew when it has changed. */
  readonly row: Row;
  readonly ask: (id: string, signal: AbortSignal) => Promise<unknown>;
  readonly copy: (text: string) => void;
}

export function DocumentView({ id, row, ask, copy }: Given) {
  const failure = useSignal<string | undefined>(undefined);
  const text = useSignal('');
  const document = useAnswer(
    async (signal): Promise<unknown> => {
      const found = await ask(id, signal);
      failure.value = undefined;
      return found;
    },
    [id, row],
    (error) => {
      failure.value = failureText(error);
    },
  );
  if (failure.value !== undefined) return <p class="dim">{failure.value}</p>;
  if (document === undefined) return null;
  const wanted = text.value.trim();
  const tree = pruned(treeOf('', document), wanted);
  const finder = wanted === '' ? undefined : finderOf(wanted);
  return (
    <section class="document">
      <div class="document-head">
        <input
          type="search"
          class="input"
          aria-label={say('Search in this document')}
          placeholder={say('Search in this document')}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <button
          type="button"
          class="button is-small"
          onClick={() => copy(JSON.stringify(document, null, 2))}
        >
          <Icon name="copy" size={13} /> {say('Copy')}
        </button>
      </div>
      {tree?.kind === 'branch' && tree.children.length > 0 ? (
        <ul class="tree">
          {tree.children.map((one) => (
            <TreeNode key={one.path} node={one} depth={0} finder={finder} copy={copy} />
          ))}
        </ul>
      ) : (
        <p class="dim">{say('Nothing in this document matches.')}</p>
      )}
    </section>
  );
}

interface NodeGiven extends Pick<Given, 'copy'> {
  readonly node: Node;
  readonly depth: number;
  readonly finder: RegExp | undefined;
}

/** Branches that are open at first, by depth and number of children. */
const OPEN_DEPTH = 2;
const OPEN_CHILDREN = 20;

function TreeNode({ node, depth, finder, copy }: NodeGiven): JSX.Element {
  if (node.kind === 'leaf') {
    return (
      <li class="tree-line">
        <span class="tree-name">{marked(node.name, finder)}</span>
        <div class="tree-value mono">
          {/* A text that is looked for may lie at its end. */}
          <Folded isLong={finder === undefined && isLong(node.text)}>
            <span>{marked(node.text, finder)}</span>
          </Folded>
        </div>
        {node.type !== undefined && <span class="tree-type dim">{node.type}</span>}
        <button
          type="button"
          class="button is-icon is-small tree-copy"
          aria-label={say('Copy {what}', { what: node.path })}
          title={node.path}
          onClick={() => copy(node.text)}
        >
          <Icon name="copy" size={13} />
        </button>
      </li>
    );
  }
  const isOpen =
    finder !== undefined || (depth < OPEN_DEPTH && node.children.length <= OPEN_CHILDREN);
  return (
    <li>
      <details open={isOpen}>
        <summary class="tree-line">
          <span class="tree-name">{marked(node.name, finder)}</span>
          <span class="dim">{node.size}</span>
        </summary>
        <ul class="tree">
          {node.children.map((one) => (
            <TreeNode key={one.path} node={one} depth={depth + 1} finder={finder} copy={copy} />
          ))}
        </ul>
      </details>
    </li>
  );
}
