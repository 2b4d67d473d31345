/** Vite imports style sheets for their effect. */
declare module '*.css';
