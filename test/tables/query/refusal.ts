/** How a body is refused. */
import { expect } from 'chai';
import { AppError } from '../../../src/errors.ts';

export function refusal(validate: (body: unknown) => unknown, body: unknown): AppError {
  try {
    validate(body);
  } catch (error) {
    expect(error).instanceOf(AppError);
    return error as AppError;
  }
  throw new Error('taken');
}
