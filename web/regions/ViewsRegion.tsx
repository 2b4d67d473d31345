/** The saved views, and the view that shows as one to be saved. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { closeDialog } from '../data/dialogs.ts';
import { openAddress } from '../data/moves.ts';
import { labelOf } from '../data/service/projects.ts';
import { noticed } from '../data/service/service.ts';
import { isAdmin } from '../data/service/session.ts';
import { view } from '../data/store.ts';
import {
  areShared,
  changeView,
  createView,
  deleteView,
  movable,
  moveViews,
  refreshViews,
  savedAddress,
  views,
} from '../data/views.ts';
import { ViewsDialog } from '../parts/dialogs/ViewsDialog.tsx';
import { failureText } from '../present/failureText.ts';

export function ViewsRegion() {
  const [problem, setProblem] = useState('');
  const isBusy = useRef(false);
  /** One change after the other: a second press of the same button would save a view twice. */
  const attempt = async (what: () => Promise<void>): Promise<boolean> => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setProblem('');
    try {
      await what();
      return true;
    } catch (error) {
      setProblem(failureText(noticed(error)));
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  useEffect(() => {
    void refreshViews();
  }, []);
  const address = savedAddress(view.value);
  return (
    <ViewsDialog
      {...{ problem, labelOf }}
      views={views.value}
      shown={{ table: view.value.table, address, projectId: projectShown() }}
      areShared={areShared.value}
      movable={movable.value}
      mayShare={isAdmin.value}
      create={(wish) => attempt(() => createView(view.peek(), wish))}
      change={(one, wish, replaces) =>
        attempt(() => changeView(one, wish, replaces ? address : undefined))
      }
      remove={(one) => attempt(() => deleteView(one))}
      move={() => attempt(moveViews)}
      open={openAddress}
      close={closeDialog}
    />
  );
}

/** The one project that the table shows. */
function projectShown(): string | null {
  const { project, conditions } = view.value;
  const named = conditions.flatMap((one) =>
    one.kind === 'values' && one.field === 'project_id' && !one.not ? one.values : [],
  );
  const [id] = named;
  return project ?? (typeof id === 'string' && named.length === 1 ? id : null);
}
