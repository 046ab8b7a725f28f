/** A child that does what its messages say: `{ echo }` answers, `{ die }` ends with that status, `{ deaf: true }` stops listening to the end. */
process.send({ up: process.pid });
let isDeaf = false;
process.on('message', (message) => {
  if ('echo' in message) process.send({ echo: message.echo });
  if ('die' in message) process.exit(message.die);
  if (message.deaf) isDeaf = true;
  if (message.end && !isDeaf) process.exit(0);
});
