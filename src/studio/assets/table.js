// The table: the choices of a game are kept here, and the studio says what they lead to.

import { post, stream } from './api.js';
import * as board from './board.js';
import { isSeed, seedFault, watch as field } from './fields.js';
import { save } from './files.js';
import { items, plural, said } from './moves.js';
import { state as rules, forget, fromAddress, keep, kept, told } from './state.js';
import { put } from './text.js';

const by = (id) => document.getElementById(id);
const note = (text) => { by('note').textContent = text; };

// `at` of the choices are made; the others were taken back.
const game = { seed: '1', number: '0', deck: '', choices: [], at: 0 };
let shown = null;
let hinting = false;

const asked = (more) => ({
  name: rules.file, text: rules.text, seed: game.seed, game: game.number, deck: game.deck || null,
  choices: game.choices.slice(0, game.at), ...more,
});

// What is shown was kept, and stands in no address that somebody opened.
let restored = false;

function readAddress() {
  restored = location.hash.length <= 1;
  const said = told('table', 'designer');
  fromAddress(said);
  game.seed = isSeed(said.get('seed')) ? said.get('seed') : '1';
  game.number = isSeed(said.get('game')) ? said.get('game') : '0';
  game.deck = said.get('deck') ?? '';
  game.choices = (said.get('moves') ?? '').split(' ').filter(Boolean);
  game.at = Math.min(Number(said.get('at') ?? game.choices.length), game.choices.length);
}

function writeAddress() {
  const said = new URLSearchParams({ file: rules.file, rules: rules.text, seed: game.seed, game: game.number });
  if (game.deck) said.set('deck', game.deck);
  if (game.choices.length) said.set('moves', game.choices.join(' '));
  if (game.at < game.choices.length) said.set('at', game.at);
  history.replaceState(null, '', `#${said}`);
  keep('table', said);
  const designer = kept('designer') ?? new URLSearchParams();
  designer.set('file', rules.file);
  designer.set('rules', rules.text);
  by('to-designer').href = `/#${designer}`;
}

let turn = 0;

/** Shows the position after the choices. */
async function show(words) {
  const mine = ++turn;
  writeAddress();
  try {
    const state = await post('/api/table', asked());
    if (mine !== turn) return;
    shown = state;
  } catch (error) {
    if (restored && game.choices.length) {
      forget('table');
      restored = false;
      Object.assign(game, { choices: [], at: 0 });
      return show();
    }
    note(error.message);
    return;
  }
  restored = false;
  note('');
  board.draw(shown);
  counts();
  asks();
  over();
  moves();
  by('history').textContent = shown.made.map((it) => it.word + (it.roll ? ` roll:${it.roll}` : '')).join(' ');
  by('undo').disabled = game.at === 0;
  by('redo').disabled = game.at === game.choices.length;
  by('resign').disabled = Boolean(shown.over);
  by('said').textContent = [words, shown.over?.why].filter(Boolean).join('. ');
  if (hinting) hint();
}

function choose(word, words) {
  if (game.choices[game.at] !== word) game.choices.length = game.at;
  if (game.choices.length === game.at) game.choices.push(word);
  game.at += 1;
  return show(words ?? word);
}

function play(move) {
  stopWatching();
  if (move.ends && !window.confirm(`${move.why}. Make it all the same?`)) return;
  choose(move.word, said(move));
}

function counts() {
  const { seen, money, die } = shown;
  const all = [
    ['cards up', `${seen.cards} of ${seen.all_cards}`],
    ['pass', String(seen.pass)],
    ['redeals left', seen.redeals_left === null ? 'unlimited' : String(seen.redeals_left)],
    ['reserve', String(seen.reserve_left)],
  ];
  if (die) all.push([`die of ${die.faces}`, die.shows ? String(die.shows) : 'not rolled']);
  if (money.for_money) {
    const [staked, fees, pays, net, next, redeal] = money.shown;
    all.push(['staked', staked], ['pays now', pays], ['net', net], ['next card', next]);
    if (money.fees || money.next_redeal) all.push(['next redeal', redeal], ['fees', fees]);
  }
  by('counts').replaceChildren(...all.map(([what, value]) => {
    const pair = document.createElement('div');
    const [term, is] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = what;
    put(is, value.replace('-', '−'));
    pair.append(term, is);
    return pair;
  }));
  by('title').textContent = shown.deal.title;
  by('where').textContent = shown.deal.seed === null ? ', a given deck' : `, seed ${shown.deal.seed}, game ${shown.deal.game}`;
}

function button(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

function asks() {
  const stage = shown.asks.stage;
  by('asks').hidden = !stage;
  if (!stage) return by('asks').replaceChildren();
  const words = document.createElement('p');
  words.textContent = `The casino offers the stage ${stage.at} for ${(stage.cost / 100).toFixed(2)}.`;
  by('asks').replaceChildren(words, button('Buy', () => choose('buy')), button('Decline', () => choose('decline')));
}

function over() {
  by('over').hidden = !shown.over;
  if (!shown.over) return by('over').replaceChildren();
  const words = document.createElement('p');
  const end = document.createElement('b');
  end.textContent = shown.over.end === 'won' ? 'Won. ' : 'The game is over. ';
  words.append(end, `${shown.over.why} ${plural(shown.over.cards, 'card')}, ${plural(shown.over.moves, 'move')}.`);
  by('over').replaceChildren(words, button('What was possible?', review), button('Where was it lost?', lost));
}

function moves(weights) {
  by('moves').replaceChildren(...items(shown.moves, weights, play));
}

// ---- Hints and watching -------------------------------------------------------------------------------------------

let asking = null;

async function hint() {
  asking?.abort();
  asking = new AbortController();
  const mine = asking;
  try {
    const found = await post('/api/hint', asked({ strategy: by('strategy').value }), mine.signal);
    if (asking !== mine) return;
    moves(found);
    board.mark(shown.moves.find((move) => move.word === found.choice));
    const buys = found.buys === null ? '' : found.buys ? `${found.strategy} would buy it.` : `${found.strategy} would decline it.`;
    const scores = found.moves.some((move) => move.score !== null || move.expected) ? '' : ` ${found.strategy} gives no scores.`;
    note(buys || (found.choice ? `${found.strategy} would play ${found.choice}.${scores}` : shown.over ? '' : `${found.strategy} would give up.`));
  } catch (error) {
    if (asking === mine) note(error.message);
  }
}

let watching = null;

function stopWatching() {
  watching?.abort();
  watching = null;
  by('watch').setAttribute('aria-pressed', 'false');
  by('watch').textContent = 'Watch';
}

/** Lets a strategy play so many choices. The studio sends each when its time has come: no card is here before it is shown. */
async function watch(steps) {
  stopWatching();
  const mine = new AbortController();
  watching = mine;
  by('watch').setAttribute('aria-pressed', 'true');
  by('watch').textContent = 'Pause';
  const queue = [];
  let ended = false;
  let wake = () => {};
  const strategy = by('strategy').value;
  const pace = Math.round(1600 / Number(by('speed').value));
  const source = stream('/api/watch', asked({ strategy, pace, steps: steps || null }), mine.signal, (event) => { queue.push(event); wake(); })
    .catch((error) => { if (!mine.signal.aborted) queue.push({ failed: error.message }); })
    .finally(() => { ended = true; wake(); });
  while (!mine.signal.aborted) {
    if (!queue.length) {
      if (ended) break;
      await new Promise((done) => { wake = done; mine.signal.addEventListener('abort', done); });
      continue;
    }
    const event = queue.shift();
    if (event.failed) { note(event.failed); break; }
    const line = event.step.lines?.[0];
    const expected = line ? `, ${(line.expected.cards / Math.max(line.expected.deals, 1)).toFixed(1)} cards expected` : '';
    await choose(event.step.word, `${strategy} plays ${event.step.word}`);
    note(`${strategy}: ${event.step.word}${expected}`);
  }
  if (watching === mine) stopWatching();
  await source;
}

async function review() {
  note('Looking for what was possible');
  try {
    await stream('/api/review', asked(), undefined, ({ review: found, failed }) => {
      if (failed) return note(failed);
      const { best, lost, line } = found;
      const won = best.winnable === true ? 'This deal can be won' : best.winnable === false ? 'This deal cannot be won' : 'Whether this deal can be won was not found out';
      const most = best.winnable === true ? '' : `; the most that can come up are ${best.cards === best.cards_at_most ? plural(best.cards, 'card') : `at least ${plural(best.cards, 'card')}, and at most ${best.cards_at_most}`}`;
      const where = lost.lost_after === null ? '' : ` That was lost ${lost.by ? `by move ${lost.lost_after}, ${lost.by}` : `between moves ${lost.reachable_after} and ${lost.lost_after}`}.`;
      const words = document.createElement('p');
      words.textContent = `${won}${most}.${where}`;
      by('over').append(words, button('Step through this line', () => {
        game.choices = line;
        game.at = 0;
        show('The deal, with a line of play to step through by Redo');
      }));
      if (lost.lost_after !== null) {
        by('over').append(button('Go to where it was lost', () => { game.at = Math.min(lost.reachable_after, game.choices.length); show('Where the game was lost'); }));
      }
      note('');
    });
  } catch (error) {
    note(error.message);
  }
}

let losing = null;

/** Has every decision of the game weighed by a player who searches. */
async function lost() {
  losing?.abort();
  losing = new AbortController();
  const told = document.createElement('p');
  told.setAttribute('role', 'status');
  by('over').append(told);
  const mean = (expected) => expected.cards / Math.max(expected.deals, 1);
  try {
    await stream('/api/lost', asked(), losing.signal, ({ at, of, searched, by: who, least, failed }) => {
      if (failed) { told.textContent = failed; return; }
      if (!searched) { told.textContent = `Looking at choice ${at + 1} of ${of}`; return; }
      const cards = least === 1 ? 'a card' : `${least} cards`;
      const { first, worst } = searched;
      told.textContent = first
        ? `By ${who}, in deals that agree with what was seen: the first move that gave up ${cards} or more was move ${first.after + 1}, ${first.by}: ${mean(first.got).toFixed(1)} cards, where ${first.better} gets ${mean(first.best).toFixed(1)}.`
        : `By ${who}, none of the ${searched.decisions} decisions gave up ${cards} or more.`;
      const goes = (fell, words) => by('over').append(button(words, () => { game.at = fell.after; show(words); }));
      if (first) goes(first, `Go to move ${first.after + 1}`);
      if (worst && worst.after !== first.after) goes(worst, `Go to the worst, move ${worst.after + 1} (${(mean(worst.best) - mean(worst.got)).toFixed(1)} cards)`);
    });
  } catch (error) {
    if (!losing.signal.aborted) told.textContent = error.message;
  }
}

async function saveRecord() {
  try {
    const { record } = await post('/api/record', asked());
    const name = `game-${game.seed}-${game.number}.jsonl`;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(record)}\n`], { type: 'application/json' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    note(`Saved as ${name} where your browser saves files.`);
  } catch (error) {
    const saves = error.status === 409 && window.confirm(`${error.message}. Save them to it?`);
    if (!saves) note(error.message);
    else if (await save({ name: rules.file, text: rules.text, known: null }, note)) await saveRecord();
  }
}

// ---- Around the table ---------------------------------------------------------------------------------------------

function deal() {
  stopWatching();
  Object.assign(game, { choices: [], at: 0 });
  show('A new deal');
}

const undo = () => { stopWatching(); if (game.at > 0) { game.at -= 1; show('Undone'); } };
const redo = () => { stopWatching(); if (game.at < game.choices.length) { game.at += 1; show(`Redone: ${game.choices[game.at - 1]}`); } };

function toggleHint() {
  hinting = !hinting;
  by('hint').setAttribute('aria-pressed', String(hinting));
  if (hinting) return hint();
  asking?.abort();
  board.mark(null);
  moves();
  note('');
}

function begin() {
  readAddress();
  by('seed').value = game.seed;
  by('game').value = game.number;
  by('deck').value = game.deck;
  board.onMove(play);
  by('toolbar').addEventListener('submit', (event) => event.preventDefault());
  by('again').addEventListener('click', deal);
  by('next').addEventListener('click', () => {
    game.number = String(BigInt(game.number) + 1n);
    game.deck = '';
    by('game').value = game.number;
    deal();
  });
  for (const [id, key] of [['seed', 'seed'], ['game', 'number']]) {
    field(by(id), seedFault, (value) => { game[key] = value; game.deck = ''; deal(); });
  }
  by('undo').addEventListener('click', undo);
  by('redo').addEventListener('click', redo);
  by('hint').addEventListener('click', toggleHint);
  by('strategy').addEventListener('change', () => { stopWatching(); if (hinting) hint(); });
  by('resign').addEventListener('click', () => { stopWatching(); if (window.confirm('Give up this game?')) choose('resign', 'Given up'); });
  by('watch').addEventListener('click', () => (watching ? stopWatching() : watch(0)));
  by('speed').addEventListener('change', () => { if (watching) watch(0); });
  by('step').addEventListener('click', () => watch(1));
  by('use-deck').addEventListener('click', () => { game.deck = by('deck').value.trim(); deal(); });
  by('save-record').addEventListener('click', saveRecord);
  by('four').checked = localStorage.getItem('four-colours') === 'yes';
  const colours = () => document.body.classList.toggle('four', by('four').checked);
  by('four').addEventListener('change', () => { localStorage.setItem('four-colours', by('four').checked ? 'yes' : 'no'); colours(); });
  colours();
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input,select,textarea')) return;
    const key = event.key.toLowerCase();
    const turn = shown?.moves.find((move) => move.word === 'draw' || move.word === 'redeal');
    const nth = /^[1-9]$/.test(key) ? shown?.moves[Number(key) - 1] : null;
    if (key === 'd' && turn) play(turn);
    else if (key === 'z') undo();
    else if (key === 'y') redo();
    else if (key === 'h') toggleHint();
    else if (nth) play(nth);
    else return;
    event.preventDefault();
  });
  window.addEventListener('hashchange', () => { readAddress(); show(); });
  show();
}

begin();
