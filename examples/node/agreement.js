/**
 * Answers a list of work, so that the answers of several hosts can be compared. The lines are those of `agreement.py` in
 * `examples/python`. Tokens are written as they are: this is for tests.
 */

import { createInterface } from 'node:readline';

import { AppdeclError, Gate, InvalidDeclaration, Package, PackageError, Replay, Token } from './src/index.js';

let machine;

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { case: name, calls, transcript } = JSON.parse(line);
  const redactor = () => true;
  // One gate answers for the machine; a machine on paper has one of its own.
  const gate = transcript ? new Gate({ host: new Replay(transcript), redactor }) : (machine ??= new Gate({ redactor }));
  const results = calls.map(([name, ...questions]) => result(gate, name, questions));
  process.stdout.write(`${JSON.stringify({ case: name, results })}\n`);
}

function result(gate, name, questions) {
  try {
    if (name === 'register') {
      const [server, declaration, label, displayName] = questions;
      gate.register(server, declaration, { label, displayName: displayName ?? undefined });
      return { ok: null };
    }
    if (name === 'validate') {
      const [folder, format] = questions;
      return { ok: plain(Package.open(folder, { format: format ?? undefined }).validate()) };
    }
    if (name === 'install_gate') {
      const [folder, platforms] = questions;
      return { ok: plain(Package.open(folder).installGate(gate, platforms)) };
    }
    const answer = gate[camel(name)](...questions);
    return answer !== null && typeof answer === 'object' && !Array.isArray(answer) && isUnavailable(answer)
      ? { unavailable: answer.reason }
      : { ok: plain(answer ?? null) };
  } catch (error) {
    if (error instanceof InvalidDeclaration) return { invalid: plain(error.diagnostics) };
    if (!(error instanceof AppdeclError)) throw error;
    if (!(error instanceof PackageError)) process.stderr.write(`${name}: ${error.message}\n`);
    return { error: true };
  }
}

function isUnavailable(answer) {
  return Object.keys(answer).join() === 'reason';
}

function plain(answer) {
  if (answer instanceof Token) return answer.reveal();
  if (Array.isArray(answer)) return answer.map(plain);
  if (answer === null || typeof answer !== 'object') return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [snake(name), plain(value)]));
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

function snake(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
