/**
 * Who may call a route.
 * - `public`: anybody, without a token.
 * - `user`: any active user.
 * - `admin`: the role admin; others get 403.
 * - `project`: a member of `:project_id`, or an admin; for others the project does not exist (404).
 * - `task`: as the project of `:task_id`; system and backup tasks are for admins; otherwise 404.
 */
export type Permission = 'public' | 'user' | 'admin' | 'project' | 'task';
