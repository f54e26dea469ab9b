// Files of the folder.

import { post } from './api.js';

/** The name of a file as it was typed, with its ending. */
export function named(typed, ending) {
  const name = typed.trim();
  return !name || name.endsWith(ending) ? name : `${name}${ending}`;
}

/** Saves a text, once that is wanted where the file has another; whether it is saved. `note` is told why not. */
export async function save(body, note) {
  if (!body.name) {
    note('Give the file a name first.');
    return false;
  }
  try {
    await post('/api/save', body);
  } catch (error) {
    if (error.status !== 409 || !window.confirm(`${error.message}. Replace it?`)) {
      note(error.message);
      return false;
    }
    try {
      await post('/api/save', { ...body, replace: true });
    } catch (again) {
      note(again.message);
      return false;
    }
  }
  return true;
}
