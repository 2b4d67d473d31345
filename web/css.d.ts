/** Style sheets are imported for what they do, by Vite. */
declare module '*.css';
