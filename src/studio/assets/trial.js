// A deal on which the script is asked about every move.

import { post, stream } from './api.js';
import * as board from './board.js';
import { items, plural } from './moves.js';

const by = (id) => document.getElementById(id);
const note = (text) => { by('trial-note').textContent = text; };

// Tells the rules, the script, and the game.
let asked = () => ({});
let choices = [];
let state = null;
let hint = null;
let turn = 0;
let running = null;

const body = (more) => ({ ...asked(), choices, ...more });

/** Asks again about the position after the choices. */
export async function show() {
  const mine = ++turn;
  // The script may be changed while this is asked.
  const all = body();
  try {
    const found = await post('/api/table', all);
    if (mine !== turn) return;
    state = found;
    hint = null;
    board.draw(state);
    told();
    if (state.over) return note(`${state.over.why} ${plural(state.over.cards, 'card')}, ${plural(state.over.moves, 'move')}.`);
    const thought = await post('/api/hint', all);
    if (mine !== turn) return;
    hint = thought;
    told();
    const buys = hint.buys === null ? '' : `It would ${hint.buys ? 'buy' : 'decline'} the stage. `;
    const printed = hint.printed ? ` It prints: ${hint.printed.trim()}` : '';
    note(`${buys}${hint.choice ? `It plays ${hint.choice}.` : hint.buys === null ? 'It gives up here.' : ''}${printed}`);
    board.mark(state.moves.find((move) => move.word === hint.choice));
  } catch (error) {
    if (mine === turn) note(error.message);
  }
}

function told() {
  by('trial-moves').replaceChildren(...items(state.moves, hint, play));
  by('trial-counts').textContent = `${state.seen.cards} of ${state.seen.all_cards} cards up, ${plural(choices.length, 'choice')} made`;
  by('trial-back').disabled = !choices.length;
  by('trial-step').disabled = Boolean(state.over);
  by('trial-run').disabled = Boolean(state.over);
}

/** The move that the script would make, or how it answers what is asked. */
const own = () => (hint?.buys === true ? 'buy' : hint?.buys === false ? 'decline' : hint?.choice ?? 'resign');

function play(move) {
  stop();
  choices = [...choices, move.word];
  return show();
}

function stop() {
  running?.abort();
  running = null;
}

/** Lets the script play the game to its end. */
async function run() {
  stop();
  const mine = new AbortController();
  running = mine;
  note('Playing');
  const more = [];
  let failed = '';
  try {
    await stream('/api/watch', body(), mine.signal, (event) => {
      if (event.failed) failed = event.failed;
      else more.push(event.step.word);
    });
  } catch (error) {
    failed = mine.signal.aborted ? '' : error.message;
  }
  if (running !== mine) return;
  running = null;
  choices = [...choices, ...more];
  await show();
  if (failed) note(failed);
}

/** Starts the deal again. */
export function again() {
  stop();
  choices = [];
  return show();
}

/** `ask` gives the rules, the script and the game. */
export function begin(ask) {
  asked = ask;
  board.onMove(play);
  by('trial-step').addEventListener('click', () => { if (hint) play({ word: own() }); });
  by('trial-back').addEventListener('click', () => { stop(); choices = choices.slice(0, -1); show(); });
  by('trial-run').addEventListener('click', run);
  by('trial-again').addEventListener('click', again);
}
