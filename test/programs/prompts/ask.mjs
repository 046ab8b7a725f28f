/**
 * Asks four questions through one library of prompts: confirm, select, several, text. `node ask.mjs LIBRARY JOURNAL`; each
 * answer is a line of the journal, as JSON.
 */
import { appendFileSync } from 'node:fs';

const [, , library, journal] = process.argv;
const CITIES = ['Aachen', 'Köln', '東京', 'Zürich'];
const TOPPINGS = ['Käse', 'Pilze', '豆腐'];
const QUESTIONS = {
  confirm: 'Deploy to production?',
  select: 'Which city?',
  several: 'Which toppings?',
  text: 'Your name?',
};

const note = (question, answer) => appendFileSync(journal, `${JSON.stringify({ question, answer })}\n`);
const choices = (values) => values.map((value) => ({ value, label: value, name: value, title: value, message: value }));

async function inquirer() {
  const { checkbox, confirm, input, select } = await import('@inquirer/prompts');
  note('confirm', await confirm({ message: QUESTIONS.confirm, default: false }));
  note('select', await select({ message: QUESTIONS.select, choices: choices(CITIES) }));
  note('several', await checkbox({ message: QUESTIONS.several, choices: choices(TOPPINGS) }));
  note('text', await input({ message: QUESTIONS.text }));
}

async function clack() {
  const { confirm, intro, multiselect, outro, select, text } = await import('@clack/prompts');
  intro('A form');
  note('confirm', await confirm({ message: QUESTIONS.confirm, initialValue: false }));
  note('select', await select({ message: QUESTIONS.select, options: choices(CITIES) }));
  note('several', await multiselect({ message: QUESTIONS.several, options: choices(TOPPINGS) }));
  note('text', await text({ message: QUESTIONS.text }));
  outro('Done');
}

async function prompts() {
  const { default: ask } = await import('prompts');
  const one = async (type, more) => (await ask({ type, name: 'answer', ...more })).answer;
  note('confirm', await one('confirm', { message: QUESTIONS.confirm, initial: false }));
  note('select', await one('select', { message: QUESTIONS.select, choices: choices(CITIES) }));
  note('several', await one('multiselect', { message: QUESTIONS.several, choices: choices(TOPPINGS) }));
  note('text', await one('text', { message: QUESTIONS.text }));
}

async function enquirer() {
  const { default: Enquirer } = await import('enquirer');
  const one = async (type, more) => (await Enquirer.prompt({ type, name: 'answer', ...more })).answer;
  note('confirm', await one('confirm', { message: QUESTIONS.confirm }));
  note('select', await one('select', { message: QUESTIONS.select, choices: CITIES }));
  note('several', await one('multiselect', { message: QUESTIONS.several, choices: TOPPINGS }));
  note('text', await one('input', { message: QUESTIONS.text }));
}

/** Ink has no prompts of its own: a menu and a field of its packages, and boxes as its documentation shows keys. */
async function ink() {
  const { Box, render, Text, useApp, useInput } = await import('ink');
  const { default: SelectInput } = await import('ink-select-input');
  const { default: TextInput } = await import('ink-text-input');
  const { createElement: h, useState } = await import('react');
  const column = (...parts) => h(Box, { flexDirection: 'column', borderStyle: 'round' }, ...parts);

  function Boxes({ onSubmit }) {
    const [at, setAt] = useState(0);
    const [chosen, setChosen] = useState([]);
    useInput((input, key) => {
      if (key.downArrow) setAt(Math.min(TOPPINGS.length - 1, at + 1));
      if (key.upArrow) setAt(Math.max(0, at - 1));
      if (input === ' ')
        setChosen(
          chosen.includes(TOPPINGS[at]) ? chosen.filter((each) => each !== TOPPINGS[at]) : [...chosen, TOPPINGS[at]],
        );
      if (key.return) onSubmit(TOPPINGS.filter((each) => chosen.includes(each)));
    });
    return h(
      Box,
      { flexDirection: 'column' },
      ...TOPPINGS.map((each, index) =>
        h(Text, { key: each }, `${index === at ? '❯' : ' '} ${chosen.includes(each) ? '◉' : '◯'} ${each}`),
      ),
    );
  }

  function Form() {
    const { exit } = useApp();
    const [step, setStep] = useState('confirm');
    const [name, setName] = useState('');
    const answer = (question, next) => (value) => {
      note(question, value);
      if (next === null) exit();
      else setStep(next);
    };
    const items = (values) => values.map((value) => ({ label: String(value), value }));
    const parts = {
      confirm: () =>
        h(SelectInput, {
          key: 'confirm',
          items: [
            { label: 'Yes', value: true },
            { label: 'No', value: false },
          ],
          onSelect: ({ value }) => answer('confirm', 'select')(value),
        }),
      select: () =>
        h(SelectInput, {
          key: 'select',
          items: items(CITIES),
          onSelect: ({ value }) => answer('select', 'several')(value),
        }),
      several: () => h(Boxes, { key: 'several', onSubmit: answer('several', 'text') }),
      text: () => h(TextInput, { key: 'text', value: name, onChange: setName, onSubmit: answer('text', null) }),
    };
    return column(h(Text, { key: 'question' }, QUESTIONS[step]), parts[step]());
  }
  await render(h(Form)).waitUntilExit();
}

const libraries = { inquirer, clack, prompts, enquirer, ink };
await libraries[library]();
note('end', null);
// the screen is read before the console closes
await new Promise((resolve) => setTimeout(resolve, 60_000));
