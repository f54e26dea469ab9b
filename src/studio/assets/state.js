// The whole state of the designer, kept in the part of the address that is never sent: a copied address is the same page. The
// state of each page is kept for its tab too, so that the way over another page leads back to it.

import { isEdge, isSeed } from './fields.js';

export const state = {
  file: 'my-house.toml',
  text: 'extends = "canfield"\n',
  strategies: ['greedy'],
  games: 100000,
  seed: '1',
  target: 5,
  pinned: null,
  wishes: [],
  // The text of the file on the disk, as far as it is known; not part of the address.
  known: null,
};

const MOST_STRATEGIES = 6;
const MOST_WISHES = 10;
const MOST_GAMES = 1e8;
// Two rulesets as an address writes them.
const LONGEST = 2e6;

/** Keeps what the address of a page says, for this tab. A browser may have no room for it, or allow none. */
export function keep(page, said) {
  try { sessionStorage.setItem(`saratoga-${page}`, String(said)); } catch { /* Then it is not kept. */ }
}

export function forget(page) {
  try { sessionStorage.removeItem(`saratoga-${page}`); } catch { /* There is nothing. */ }
}

/** What this tab has kept of a page, if anything. */
export function kept(page) {
  try {
    const said = sessionStorage.getItem(`saratoga-${page}`);
    return said && said.length <= LONGEST ? new URLSearchParams(said) : null;
  } catch {
    return null;
  }
}

/** What the address says or, where it says nothing, what was kept of the first of these pages. */
export function told(...pages) {
  if (location.hash.length > 1) return new URLSearchParams(location.hash.slice(1));
  return pages.map(kept).find(Boolean) ?? new URLSearchParams();
}

/** Takes what an address says, and leaves the rest as it is. */
export function fromAddress(said = told('designer')) {
  const games = Number(said.get('n'));
  if (said.has('file')) state.file = said.get('file');
  if (said.has('rules')) state.text = said.get('rules');
  if (said.has('s')) state.strategies = said.getAll('s').filter(Boolean).slice(0, MOST_STRATEGIES);
  if (Number.isInteger(games) && games > 0 && games <= MOST_GAMES) state.games = games;
  if (isSeed(said.get('seed'))) state.seed = said.get('seed');
  if (isEdge(said.get('edge'))) state.target = Number(said.get('edge'));
  if (said.has('wish')) state.wishes = said.getAll('wish').filter(Boolean).slice(0, MOST_WISHES);
  if (said.has('pin')) state.pinned = { name: said.get('pinfile') ?? state.file, text: said.get('pin'), title: said.get('pinname') ?? '' };
}

export function toAddress() {
  const said = new URLSearchParams();
  said.set('file', state.file);
  said.set('rules', state.text);
  state.strategies.forEach((name) => said.append('s', name));
  said.set('n', state.games);
  said.set('seed', state.seed);
  said.set('edge', state.target);
  state.wishes.forEach((wish) => said.append('wish', wish));
  if (state.pinned) {
    said.set('pinfile', state.pinned.name);
    said.set('pinname', state.pinned.title);
    said.set('pin', state.pinned.text);
  }
  history.replaceState(null, '', `#${said}`);
  keep('designer', said);
  // A game under way goes on as long as its rules are these.
  let game = kept('table');
  if (game?.get('file') !== state.file || game.get('rules') !== state.text) {
    forget('table');
    game = new URLSearchParams({ file: state.file, rules: state.text, seed: state.seed });
  }
  document.getElementById('to-table').href = `/table#${game}`;
}
