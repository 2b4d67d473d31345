/**
 * The callers that a route admits.
 * - `public`: all, without a token.
 * - `user`: any active user.
 * - `admin`: the role admin; others get 403.
 * - `project`: a member of `:project_id`, or an admin; for others the project does not exist (404).
 * - `task`: callers who may use the project that `:task_id` belongs to; for a task of no project,
 *   admins alone. For others it does not exist (404).
 */
export type Permission = 'public' | 'user' | 'admin' | 'project' | 'task';
