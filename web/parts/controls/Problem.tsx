/** Why something failed, read out as it comes; nothing where nothing has. */
import { failureText } from '../../present/failureText.ts';

/** @param why an error, or its text */
export const Problem = ({ why }: { readonly why: unknown }) =>
  why === undefined ? null : (
    <p class="problem" role="alert">
      {failureText(why)}
    </p>
  );
