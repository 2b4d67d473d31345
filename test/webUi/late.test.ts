/** The badge beside the total tells how far the rows are behind the store. */
import { expect } from 'chai';
import { noteMoment, behind as secondsBehind } from '../../web/data/service/clock.ts';
import { until } from '../support/until.ts';
import { suite, useStage } from './stage.ts';

/** While `lateS` is set, events of the service name a moment that is older by so many seconds. */
const LATE_STREAMS = `{
  window.lateS = 59;
  const ask = fetch;
  window.fetch = async (...request) => {
    const response = await ask(...request);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const rewrite = new TransformStream({
      transform: (text, to) => to.enqueue(
        text.replace(/^id: (\\d+)/gm, (_, seconds) => 'id: ' + (seconds - window.lateS)),
      ),
    });
    const body = response.body.pipeThrough(new TextDecoderStream())
      .pipeThrough(rewrite).pipeThrough(new TextEncoderStream());
    return new Response(body, response);
  };
}`;

suite('an index that is behind', () => {
  const stage = useStage({ watchCommentMs: 100 });

  it('is told in amber, with the seconds, and is live again when it has caught up', async () => {
    const page = await stage.open('/users');
    await page.addInitScript(LATE_STREAMS);
    // The viewer's clock is wrong, which does not matter.
    await page.addInitScript('{ const now = Date.now; Date.now = () => now() + 600_000; }');
    await page.goto(`${stage.service.url}/tasks`);
    const badge = page.locator('.live.is-late');
    await badge.waitFor();
    const [, behind] = /^Live, (\d+) s behind$/.exec((await badge.innerText()).trim())!;
    // The store's last write was the demo's data, a moment ago.
    expect(Number(behind)).within(58, 72);
    const colour = "getComputedStyle(document.querySelector('.live')).color";
    expect(await page.evaluate(colour), 'amber').equal('rgb(138, 90, 0)');
    await page.setViewportSize({ width: 360, height: 800 });
    const boxes = () =>
      Promise.all([page.locator('.total'), badge].map((one) => one.boundingBox()));
    await until(async () => {
      const [total, late] = await boxes();
      return total!.x + total!.width <= late!.x;
    }, 'the badge covers the total');
    // Nothing changes: a comment says that the index has got further.
    await page.evaluate('window.lateS = 0');
    await page.locator('.live.is-live', { hasText: /^Live$/ }).waitFor();
  });

  it('leaves the clock of the service to end spans, where the clock of the viewer is wrong', async () => {
    const page = await stage.open('/users');
    await page.addInitScript('{ const now = Date.now; Date.now = () => now() + 600_000; }');
    const asked = page.waitForRequest((request) => {
      const { select } = JSON.parse(request.postData() ?? '{}');
      const age = Date.now() - Date.parse(select?.[0]?.from);
      return age > 3_590_000 && age < 3_720_000;
    });
    await page.goto(`${stage.service.url}/tasks?date_queued=1h`);
    await asked;
  });
});

describe('the moment of an answer', () => {
  const momentOf = (ageS: number) => `${Math.round(Date.now() / 1_000) - ageS}.1`;

  it('is not late where nobody writes: the time of MongoDB moves on after 20 s, then every 10', () => {
    noteMoment(momentOf(27));
    expect(secondsBehind.value).within(26, 28);
    noteMoment(momentOf(23));
    expect(secondsBehind.value).equal(0);
  });
});
