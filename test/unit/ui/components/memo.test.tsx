/** @jest-environment jsdom */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { memo } from '../../../../src/ui/components/memo';

interface Props {
  readonly name: string;
  readonly note?: string;
}

let drawn = 0;
let rename: (name: string) => void = () => {};

const Line = memo(function Line({ name, note }: Props) {
  drawn += 1;
  const [own, setOwn] = useState('');
  rename = setOwn;
  return <p>{`${name} ${note} ${own}`}</p>;
});

const root = document.createElement('div');

/** Draws the line with these props, and returns its text and how often it was drawn for that. */
function draw(props: Props): [string | null, number] {
  drawn = 0;
  act(() => render(<Line {...props} />, root));
  return [root.textContent, drawn];
}

it('draws again only when a prop is another one, comes or goes', () => {
  expect(draw({ name: 'tide' })).toEqual(['tide undefined ', 1]);
  expect(draw({ name: 'tide' })).toEqual(['tide undefined ', 0]);
  expect(draw({ name: 'moon' })).toEqual(['moon undefined ', 1]);
  expect(draw({ name: 'moon', note: 'full' })).toEqual(['moon full ', 1]);
  expect(draw({ name: 'moon', note: 'full' })).toEqual(['moon full ', 0]);
  expect(draw({ name: 'moon' })).toEqual(['moon undefined ', 1]);
});

it('draws again for a state of its own', () => {
  draw({ name: 'tide' });
  act(() => rename('ebb'));
  expect(root.textContent).toBe('tide undefined ebb');
});
