/** Takes the messages out of a stream of server-sent events, in whatever pieces it arrives. */

/** @returns for each piece of text, the data of the events of kind "message" that it completes */
export function openEvents(): (text: string) => readonly string[] {
  let line = '';
  let data: string[] = [];
  let kind = '';
  let endedInReturn = false;

  const endEvent = (): string | null => {
    const whole = data.length > 0 && (kind === '' || kind === 'message') ? data.join('\n') : null;
    data = [];
    kind = '';
    return whole;
  };

  const takeField = (): void => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    if (name === 'event') kind = value;
  };

  return (text) => {
    if (text === '') return [];
    const whole: string[] = [];
    const pieces = (endedInReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    endedInReturn = text.endsWith('\r');
    line += pieces[0] ?? '';
    for (const next of pieces.slice(1)) {
      const event = line === '' ? endEvent() : null;
      if (event !== null) whole.push(event);
      takeField();
      line = next;
    }
    return whole;
  };
}
