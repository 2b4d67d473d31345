/**
 * Whether a request comes from an operator of the service: by the metrics token, or from a process on
 * this machine that asks for itself.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { tokenIn } from './auth/refusals.ts';

/** Headers that proxies add, by any of their names. */
const FORWARDED =
  /^(forwarded|via|x-forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-envoy-.*|.*client-ip|.*connecting-ip|proxy-.*)$/;

/**
 * A proxy on this machine also comes from loopback, on behalf of others. A header says so, or a host name
 * that is not loopback's, or HTTP/1.0, which nginx speaks by default. The host name also
 * stops a page in a local browser whose name was rebound to 127.0.0.1.
 *
 * No header can be pushed out of sight: the server refuses requests with more of them than it reads.
 */
export function isLocal(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? '';
  if (!/^(::ffff:)?127\.|^::1$/.test(address)) return false;
  if (req.httpVersion === '1.0') return false;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (FORWARDED.test(req.rawHeaders[i]!.toLowerCase())) return false;
  }
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(req.headers.host ?? '');
}

export function hasToken(req: IncomingMessage, token: string): boolean {
  const sent = tokenIn(req.headers.authorization);
  return sent !== undefined && sameText(sent, token);
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
