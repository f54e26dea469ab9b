// Scripts: every change is checked as it is typed, and what is sound is asked about the deal beside it.

import { post, stream } from './api.js';
import * as charts from './charts.js';
import * as code from './code.js';
import { offer } from './complete.js';
import { isSeed, seedFault, watch } from './fields.js';
import { named, save as saveFile } from './files.js';
import { keep, told as fromTab } from './state.js';
import * as trial from './trial.js';

const by = (id) => document.getElementById(id);
const note = (text) => { by('note').textContent = text; };

const state = {
  file: 'my-way.rhai', text: by('script').value, known: null,
  rules: 'shelf:canfield', ruleset: { name: 'rules.toml', text: 'extends = "canfield"\n' },
  seed: '1', game: '0', rival: 'greedy',
};
let sound = false;

const script = () => ({ name: state.file, text: state.text });

// ---- The text -----------------------------------------------------------------------------------------------------

let turn = 0;

async function judge() {
  const mine = ++turn;
  toAddress();
  try {
    const told = await post('/api/script', script());
    if (mine !== turn) return;
    sound = told.sound;
    code.judged(told);
    functions(told);
    parameters(told);
    by('compare').disabled = !sound;
    by('profile').disabled = !sound;
    if (sound) trial.show();
  } catch (error) {
    note(error.message);
  }
}

function functions(told) {
  const known = told.functions.length || told.sound;
  by('functions').replaceChildren(...told.functions.map((it) => {
    const item = document.createElement('li');
    item.className = it.compiled ? 'compiled' : 'interpreted';
    item.append(code.toLine(it.line, 1, it.name), it.compiled ? ' compiled' : ' interpreted: ');
    if (!it.compiled) item.append(code.toLine(it.at, 1, `line ${it.at}`), ` ${it.why}`);
    return item;
  }));
  by('functions').hidden = !known;
}

function parameters(told) {
  by('parameters').hidden = !told.parameters.length;
  by('parameters').textContent = `Parameters: ${told.parameters.map((it) => `${it.name.toLowerCase()}=${it.default} (${it.allowed})`).join(', ')}`;
}

async function open(choice) {
  const [kind, name] = [choice.slice(0, choice.indexOf(':')), choice.slice(choice.indexOf(':') + 1)];
  try {
    const { text } = await post(kind === 'file' ? '/api/file' : '/api/shelf', { name });
    if (kind === 'file') Object.assign(state, { file: name, text, known: text });
    else Object.assign(state, { file: `my-${name}.rhai`, text, known: null });
  } catch (error) {
    return note(error.message);
  }
  by('file').value = state.file;
  stop();
  code.put(state.text);
  trial.again();
  return judge();
}

async function save() {
  const body = { ...script(), known: state.known };
  if (!await saveFile(body, note)) return undefined;
  state.known = body.text;
  return note(`Saved as ${state.file}${sound ? '' : ', with its errors'}.`);
}

// ---- The profile --------------------------------------------------------------------------------------------------

let profiling = null;

async function profile() {
  if (profiling) return stop();
  const mine = new AbortController();
  profiling = mine;
  by('profile').textContent = 'Stop';
  const body = { script: script(), rules: state.ruleset, seed: state.seed, games: Number(by('profile-games').value) };
  try {
    await stream('/api/profile', body, mine.signal, (told) => {
      if (mine.signal.aborted) return;
      if (told.failed) { by('profiled').textContent = told.failed; return; }
      code.profiled(told.lines);
      const never = told.lines.filter((line) => line && !line[0]).length;
      const rest = never ? `; ${never} ${never === 1 ? 'line' : 'lines'} never ran` : '; every line ran';
      by('profiled').textContent = `${told.games} of ${told.of} games, interpreted: ${told.seconds.toFixed(2)} s in the script${rest}.`;
    });
  } catch (error) {
    if (profiling === mine) by('profiled').textContent = error.message;
  }
  if (profiling === mine) stop();
}

function stop() {
  profiling?.abort();
  profiling = null;
  by('profile').textContent = 'Profile';
  contest?.abort();
}

// ---- Beside another -----------------------------------------------------------------------------------------------

let contest = null;

async function compare() {
  if (contest) { contest.abort(); return; }
  const mine = new AbortController();
  contest = mine;
  by('compare').textContent = 'Stop';
  const points = [];
  const body = { script: script(), rules: state.ruleset, rival: state.rival, seed: state.seed, games: Number(by('deals').value) };
  const names = [state.file.replace(/\.rhai$/, ''), state.rival];
  by('verdict').textContent = 'Playing';
  try {
    await stream('/api/compare', body, mine.signal, (told) => {
      if (told.failed) { by('verdict').textContent = told.failed; return; }
      if (told.course) points.splice(0, points.length, ...told.course.map(([games, ...llr]) => ({ games, llr })));
      else if (told.llr) points.push({ games: told.games, llr: told.llr });
      charts.course(by('course'), points, told.bounds, names);
      by('verdict').textContent = told.done ? told.answer : `${told.games.toLocaleString('en-US')} deals: ${told.said} cards a game`;
    });
  } catch (error) {
    by('verdict').textContent = mine.signal.aborted ? `Stopped. ${by('verdict').textContent}` : error.message;
  }
  contest = null;
  by('compare').textContent = 'Compare';
}

// ---- Around it ----------------------------------------------------------------------------------------------------

async function rules(choice) {
  const [kind, name] = [choice.slice(0, choice.indexOf(':')), choice.slice(choice.indexOf(':') + 1)];
  try {
    const ruleset = kind === 'file' ? { name, text: (await post('/api/file', { name })).text } : { name: 'rules.toml', text: `extends = "${name}"\n` };
    Object.assign(state, { rules: choice, ruleset });
  } catch (error) {
    note(error.message);
    return;
  }
  by('rules').value = choice;
}

async function fromAddress() {
  const said = fromTab('scripts');
  if (said.has('file')) state.file = said.get('file');
  if (said.has('script')) state.text = said.get('script');
  for (const key of ['seed', 'game']) if (isSeed(said.get(key))) state[key] = said.get(key);
  if (said.has('rival')) state.rival = said.get('rival');
  await rules(said.get('on') ?? state.rules);
  by('file').value = state.file;
  by('seed').value = state.seed;
  by('game').value = state.game;
  by('rival').value = state.rival;
  code.put(state.text);
  trial.again();
  judge();
}

function toAddress() {
  const { file, text, rules: on, seed, game, rival } = state;
  const said = new URLSearchParams({ file, script: text, on, seed, game, rival });
  history.replaceState(null, '', `#${said}`);
  keep('scripts', said);
}

let typing = 0;

async function begin() {
  const words = await (await fetch('/assets/words.json')).json();
  code.begin(words, (text) => {
    state.text = text;
    sound = false;
    clearTimeout(typing);
    typing = setTimeout(judge, 150);
  });
  offer(by('script'), words);
  trial.begin(() => ({ name: state.ruleset.name, text: state.ruleset.text, seed: state.seed, game: state.game, script: script() }));
  by('toolbar').addEventListener('submit', (event) => event.preventDefault());
  by('open').addEventListener('change', (event) => { if (event.target.value) open(event.target.value); });
  by('file').addEventListener('change', (event) => {
    Object.assign(state, { file: named(event.target.value, '.rhai'), known: null });
    event.target.value = state.file;
    judge();
  });
  by('save').addEventListener('click', save);
  by('profile').addEventListener('click', profile);
  by('compare').addEventListener('click', compare);
  by('rules').addEventListener('change', async (event) => { stop(); await rules(event.target.value); toAddress(); trial.again(); });
  by('rival').addEventListener('change', (event) => { state.rival = event.target.value; toAddress(); });
  for (const key of ['seed', 'game']) {
    watch(by(key), seedFault, (value) => { state[key] = value; toAddress(); trial.again(); });
  }
  window.addEventListener('hashchange', fromAddress);
  await fromAddress();
}

begin();
