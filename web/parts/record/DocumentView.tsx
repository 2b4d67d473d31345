/** The whole document of a record: a tree that can be searched and copied. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Row } from '../../present/answer.ts';
import { finderOfText } from '../../present/highlight.ts';
import { type Branch, type Node, pruned, treeOf } from '../../present/tree.ts';
import { countOf } from '../../state/times.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Problem } from '../controls/Problem.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { Waiting } from '../controls/Waiting.tsx';
import { marked } from '../table/Cell.tsx';
import { LongText } from './Folded.tsx';

interface Given {
  readonly id: string;
  /** The document is asked for again when it has changed. */
  readonly row: Row;
  readonly ask: (id: string, signal: AbortSignal) => Promise<unknown>;
  readonly copy: (text: string) => void;
}

export function DocumentView({ id, row, ask, copy }: Given) {
  const [text, setText] = useState('');
  const [document, failure, again] = useAnswer((signal) => ask(id, signal), [id, row]);
  const whole = useMemo(() => treeOf('', document ?? null), [document]);
  const wrong = <Problem why={failure} />;
  if (document === undefined) {
    return failure === undefined ? <Waiting retry={again} /> : wrong;
  }
  const tree = pruned(whole, text.trim());
  const finder = finderOfText(text);
  return (
    <section class="document">
      {wrong}
      <div class="document-head">
        <input
          type="search"
          class="input"
          aria-label={say('Search in this document')}
          placeholder={say('Search in this document')}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button look="is-small" onClick={() => copy(JSON.stringify(document, null, 2))}>
          <Icon name="copy" size={13} /> {say('Copy')}
        </Button>
      </div>
      {tree?.kind === 'branch' && tree.children.length > 0 ? (
        <Children nodes={tree.children} depth={0} finder={finder} copy={copy} />
      ) : (
        <p class="dim">{say('Nothing in this document matches.')}</p>
      )}
    </section>
  );
}

interface ChildrenGiven extends Omit<NodeGiven, 'node'> {
  readonly nodes: readonly Node[];
}

/** Children that are listed at first. */
const LISTED = 200;

function Children({ nodes, ...given }: ChildrenGiven) {
  const most = useSignal(LISTED);
  return (
    <>
      <ul class="tree">
        {nodes.slice(0, most.value).map((one) => (
          <TreeNode key={one.path} node={one} {...given} />
        ))}
      </ul>
      {nodes.length > most.value && (
        <Button
          look="is-small"
          onClick={() => {
            most.value *= 4;
          }}
        >
          {say('Show more ({n} of {total})', {
            n: countOf(most.value),
            total: countOf(nodes.length),
          })}
        </Button>
      )}
    </>
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
          <LongText
            text={node.text}
            finder={finder}
            // The quotes are of the style: they are not copied with the text.
            show={(part) => (
              <span class={node.isText ? 'tree-text' : ''}>{marked(part, finder)}</span>
            )}
          />
        </div>
        {node.type !== undefined && <span class="tree-type dim">{node.type}</span>}
        <IconButton
          icon="copy"
          small
          class="tree-copy"
          label={say('Copy {what}', { what: node.path })}
          title={node.path}
          onClick={() => copy(node.text)}
        />
      </li>
    );
  }
  // With each search others are open.
  const key = finder === undefined ? 'all' : 'found';
  return <TreeBranch key={key} {...{ node, depth, finder, copy }} />;
}

/** A closed branch has no elements below it: a document may have a million values. */
function TreeBranch({ node, depth, finder, copy }: NodeGiven & { readonly node: Branch }) {
  const { length } = node.children;
  const isSmall = depth < OPEN_DEPTH && length <= OPEN_CHILDREN;
  const wasOpened = useSignal<boolean | undefined>(undefined);
  const isOpen = wasOpened.value ?? (finder !== undefined || isSmall);
  return (
    <li>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) wasOpened.value = currentTarget.open;
        }}
      >
        <summary class="tree-line">
          <span class="tree-name">{marked(node.name, finder)}</span>
          <span class="dim">{node.size}</span>
        </summary>
        {isOpen && <Children nodes={node.children} depth={depth + 1} {...{ finder, copy }} />}
      </details>
    </li>
  );
}
