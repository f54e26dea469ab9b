// Long jobs: begun, watched, cancelled and taken up again.

import { post } from './api.js';
import { isSeed, planned, seedFault, watch as field } from './fields.js';

const by = (id) => document.getElementById(id);
const note = (text) => { by('note').textContent = text; };

const STATES = {
  running: 'running', elsewhere: 'running in another studio', stopped: 'stopped', failed: 'failed', done: 'done',
};

function make(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function ask(path, body) {
  try {
    await post(path, body);
    note('');
  } catch (error) {
    note(error.message);
  }
  await watch();
}

function button(text, name, act) {
  const made = make('button', 'small', text);
  made.type = 'button';
  made.setAttribute('aria-label', `${text} ${name}`);
  made.addEventListener('click', act);
  return made;
}

// The item of each job stays, so that nothing that has the focus goes away while figures come.
const items = new Map();

function item(name) {
  const root = make('li', 'job');
  const parts = { root, title: make('b', '', name), about: make('span', 'muted'), bar: make('progress'), state: make('span', 'state'), acts: make('span', 'acts'), shown: '' };
  parts.bar.setAttribute('aria-label', `Progress of ${name}`);
  root.append(parts.title, ' ', parts.about, parts.bar, parts.state, parts.acts);
  return parts;
}

function show(told) {
  const { name, job, state, progress, failed } = told;
  if (!items.has(name)) items.set(name, item(name));
  const it = items.get(name);
  const who = job.kind === 'plan' ? job.plan?.patrons ?? 'the usual patrons' : job.strategies.join(', ') || 'the usual players';
  it.about.textContent = `${job.kind} ${job.rules}, ${who}, ${job.games.toLocaleString('en-US')} games, seed ${job.seed}`;
  it.bar.max = 1;
  it.bar.value = state === 'done' ? 1 : progress ? progress.done / Math.max(progress.of, 1) : 0;
  const stage = progress?.stage > 0 ? `stage ${progress.stage + 1}, ` : '';
  const part = progress ? `, ${stage}${Math.floor((100 * progress.done) / Math.max(progress.of, 1))}%` : '';
  it.state.textContent = `${STATES[state]}${state === 'done' ? '' : part}${failed ? `: ${failed}` : ''}`;
  if (it.shown !== state) {
    it.shown = state;
    const acts = [];
    if (state === 'running') acts.push(button('Cancel', name, () => ask('/api/jobs/stop', { name })));
    if (state === 'stopped' || state === 'failed') {
      acts.push(button('Resume', name, () => ask('/api/jobs/resume', { name })));
      acts.push(button('Remove', name, () => {
        if (window.confirm(`Remove ${name} and what it has finished?`)) ask('/api/jobs/remove', { name });
      }));
    }
    if (state === 'done') {
      const link = make('a', '', 'Open the report');
      link.href = `/reports/${name}/index.html`;
      acts.push(link);
    }
    it.acts.replaceChildren(...acts);
  }
  return it.root;
}

let timer = 0;

/** Shows all jobs, and looks again soon while any of them runs. */
async function watch() {
  clearTimeout(timer);
  try {
    const all = await post('/api/jobs', {});
    for (const name of items.keys()) if (!all.some((it) => it.name === name)) { items.get(name).root.remove(); items.delete(name); }
    for (const told of all) {
      const root = show(told);
      if (!root.isConnected) by('jobs').append(root);
    }
    if (all.some((it) => it.state === 'running' || it.state === 'elsewhere')) timer = setTimeout(watch, 1000);
  } catch (error) {
    note(error.message);
    timer = setTimeout(watch, 5000);
  }
}

by('kind').addEventListener('change', () => {
  by('who').hidden = by('kind').value !== 'simulate';
  by('planned').hidden = by('kind').value !== 'plan';
});
field(by('seed'), seedFault, () => {});
by('job').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!isSeed(by('seed').value)) return;
  const kind = by('kind').value;
  const strategies = kind === 'simulate' ? [by('strategy').value] : [];
  const more = kind === 'plan' ? { plan: planned() } : {};
  const games = Math.min(Number(by('games').value), kind === 'character' ? 1000 : Infinity);
  ask('/api/jobs/start', { kind, rules: by('rules').value, strategies, ...more, seed: by('seed').value, games });
});
watch();
