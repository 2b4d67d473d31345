/** What the follower says, as pino takes it. */
export interface FollowerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
