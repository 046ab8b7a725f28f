/** An overlay that ends when it is asked for an indicator's change, as one does that somebody has killed. */
process.send({ kind: 'ready', vouching: { canApprove: true, hindrances: [] } });
process.on('message', ({ kind }) => process.exit(kind === 'indicator' ? 9 : 0));
