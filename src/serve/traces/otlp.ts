/**
 * Traces as OpenTelemetry has them, sent over OTLP. Loaded only where an endpoint is set.
 *
 *     RequestTrace ──► spans ──► batches ──► POST <endpoint>/v1/traces
 *
 * OpenTelemetry's SDK reads the variables of its specification for sampling, headers, batches and
 * the service's name: `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`,
 * `OTEL_BSP_SCHEDULE_DELAY`, `OTEL_SERVICE_NAME`. Spans name the work, its place and its duration.
 * They hold no text, value or id of the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../logger.ts';
import type { Phase, RequestEnd, RequestTrace, StoreCommand, Traces } from './requestTrace.ts';

/** The least time between two log lines about an unreachable collector, milliseconds. */
const REPEAT_MS = 60_000;

/** The time to send remaining spans when the service ends, milliseconds. */
const LAST_MS = 2_000;

/** `endpoint`: `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export function openTraces(endpoint: string, log: Logger): Traces {
  let lastTold = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - lastTold < REPEAT_MS) return;
    lastTold = performance.now();
    log.warn({ err: error }, 'traces cannot be sent');
  });
  const named = resourceFromAttributes({ 'service.name': 'table-search' });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('table-search');
  return {
    take: (trace, end) => tell(tracer, trace, end),
    // Spans that a collector does not take in time are lost; they do not delay the shutdown.
    close: () =>
      Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(LAST_MS, undefined, { ref: false }),
      ]),
  };
}

function tell(tracer: Tracer, trace: RequestTrace, end: RequestEnd): void {
  const endMs = performance.now();
  const options = {
    kind: SpanKind.SERVER,
    startTime: clock(trace.startMs),
    attributes: attributesOf(trace, end),
  };
  const { method, route, status } = end;
  const name = route === undefined ? method : `${method} ${route}`;
  const request = tracer.startSpan(name, options, parentOf(trace));
  if (status >= 500) request.setStatus({ code: SpanStatusCode.ERROR });
  if (request.isRecording()) tellParts(tracer, trace, request, endMs);
  request.end(clock(endMs));
}

function tellParts(
  tracer: Tracer,
  { phases, commands }: RequestTrace,
  request: Span,
  endMs: number,
): void {
  const within = traceApi.setSpan(ROOT_CONTEXT, request);
  const spans = phases.map((phase) => {
    const span = tracer.startSpan(phase.name, { startTime: clock(phase.startMs) }, within);
    return { phase, span, within: traceApi.setSpan(ROOT_CONTEXT, span) };
  });
  for (const command of commands) {
    const around = spans.find(({ phase }) => holds(phase, command.startMs));
    tellCommand(tracer, command, around?.within ?? within, endMs);
  }
  for (const { phase, span } of spans) span.end(clock(phase.endMs));
}

function tellCommand(tracer: Tracer, command: StoreCommand, within: Context, endMs: number): void {
  const { name, database, collection, startMs, failed } = command;
  const attributes: Attributes = {
    'db.system.name': 'mongodb',
    'db.namespace': database,
    'db.operation.name': name,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  };
  const options = { kind: SpanKind.CLIENT, startTime: clock(startMs), attributes };
  const span = tracer.startSpan([name, collection].filter(Boolean).join(' '), options, within);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(clock(command.endMs ?? endMs));
}

const holds = ({ startMs, endMs }: Phase, moment: number) => moment >= startMs && moment < endMs;

function attributesOf({ untold }: RequestTrace, end: RequestEnd): Attributes {
  const { requestId, method, route, status, userId, search } = end;
  return {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'http.response.status_code': status,
    'table_search.request_id': requestId,
    ...(userId !== undefined && { 'user.id': userId }),
    ...(search && { 'table_search.view': search.view, 'table_search.route': search.route }),
    ...(untold > 0 && { 'table_search.commands_left_out': untold }),
  };
}

/** The caller's span, where a good `traceparent` came. */
function parentOf({ parent }: RequestTrace): Context {
  const context = parent === undefined ? null : parseTraceParent(parent);
  if (!context) return ROOT_CONTEXT;
  return traceApi.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true });
}

/** A moment of `performance.now()`, milliseconds since the epoch. */
const clock = (ms: number): number => performance.timeOrigin + ms;
