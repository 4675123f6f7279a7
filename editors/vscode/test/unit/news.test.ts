import assert from 'node:assert/strict';
import { test } from 'node:test';

import { News } from '../../src/news';

test('an ask is news once, a failure only if the folder was open before it', () => {
  const news = new News();
  assert.deepEqual(news.of('a', { asks: ['1'], failures: ['r1'] }), { asks: ['1'], failures: [] });
  assert.deepEqual(news.of('a', { asks: ['1', '2'], failures: ['r2', 'r1'] }), { asks: ['2'], failures: ['r2'] });
  assert.deepEqual(news.of('a', { asks: [], failures: ['r2', 'r1'] }), { asks: [], failures: [] });
});

test('a second folder that opens later brings no old failures', () => {
  const news = new News();
  news.of('a', { asks: [], failures: [] });
  assert.deepEqual(news.of('b', { asks: ['1'], failures: ['old'] }), { asks: ['1'], failures: [] });
});
