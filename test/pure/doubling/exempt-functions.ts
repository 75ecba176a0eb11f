/** Exported functions that take a string, and why they are no parsers. */
export const exemptFunctions: { of: RegExp; why: string }[] = [
  { of: /^guard\/setting-problem\.ts/, why: 'the text is a setting of the operator, and is not parsed' },
  {
    of: /^schema\/media\/(?:subtitles\.ts#vttEscaped|cue-markup\.ts#singleSpaced)$/,
    why: 'replacements alone, whose expressions are among the expressions',
  },
  { of: /^schema\/bytes\.ts#fromBase64$/, why: '`fromBase64url` is a parser of the table, and calls it' },
  {
    of: /^schema\/operations\/shown\.ts#shownOperation$/,
    why: 'the text is the name of an operation, and is not parsed',
  },
  {
    of: /^schema\/media\/engines\.ts#engineUsedOf$/,
    why: 'the text is the name of a model, and is not parsed',
  },
  {
    of: /^(?:worker\/lib\/schema-at|transcoder\/model\/numbers\/count-text)\.ts#countText$/,
    why: 'the text is a unit from our own code',
  },
  {
    of: /^worker\/(services|fleet|repos|account|container|mcp|queue|http\/(?:changelog|docs|landing|pricing|status|tools))\/|^worker\/http\/(openapi|declare)\.ts|^worker\/lib\/mail\/(http|binding)-mailer\.ts|^worker\/lib\/(request-snippets|text\/(money-text|slug))\.ts|^worker\/pages\/(shell\.tsx#|cookie\.ts#\w+Cookie$|own-path\.ts#withNext$|tasks\/|playground\/(paths|run-page)\.|usage\/shown-figures\.)/,
    why: 'they hand ids, names and our own texts on; what they match is among the expressions',
  },
  {
    of: /^worker\/lib\/(record-time|log|post-event|resolve-host|api-key|stray-object)\.ts#(recordTime|log|postEvent|resolveHost|hashKey|isStray)$/,
    why: 'effects',
  },
  {
    of: /^worker\/http\/middleware\/(query\.ts#parseQuery|(as-markdown|versioned-assets)\.ts#\w+)$/,
    why: 'zod over values, and paths that are compared; their expressions are among the expressions',
  },
  {
    of: /^worker\/lib\/problem\.ts#headerProblem$/,
    why: 'the name of a header and a sentence of our own',
  },
  {
    of: /^worker\/pages\/(download\.ts#download|deletion\/confirm-form\.tsx#isConfirmed)$/,
    why: 'one passes its text on, the other compares it with a name',
  },
  {
    of: /^schema\/api\/(seal|signature|provider-keys)\.ts|#isSignedByStripe$/,
    why: 'cryptography over whole texts',
  },
  {
    of: /^schema\/(operations|api)\/(fields\/fields|webhook-url|operation)\.ts#(sourceUrl|evenSide|webhookUrl|operation)$/,
    why: 'they make schemas from our own descriptions',
  },
  {
    of: /^schema\/(api|media)\/(example-sources|examples|voice-presets|voices)\.ts|^schema\/otio\/reading\.ts#own$|^transcoder\/model\/macintosh-languages\.ts/,
    why: 'look-ups of a name',
  },
  {
    of: /^transcoder\/engines\/(?!speech\/(term|script)-words)/,
    why: 'our own paths and programs, and single words',
  },
  {
    of: /^transcoder\/ffmpeg\/(?!progress)/,
    why: 'our own arguments, and at most the last 8 KB that a program prints',
  },
  {
    of: /^transcoder\/(media|bitstream)\//,
    why: 'the texts are paths and names that we make; their regular expressions are tested above',
  },
  {
    of: /^transcoder\/letters\/(clusters|families)\.ts|^transcoder\/operations\/plan\/captions\/(layout\.ts#(cased|drawingAt)|ass-drawing\.ts#drawing)$/,
    why: 'letters and texts that setLine and the plan of captions are tried with, and paths of our own',
  },
  {
    of: /^schema\/(media\/caption-presets\.ts#isPackaged|operations\/fields\/(font\.ts#fontSource|captions\.ts#captionsOver))$/,
    why: 'a look-up of a name, and pointers and descriptions from our own code',
  },
  {
    of: /^transcoder\/letters\/fonts\//,
    why: 'names and reasons of our own, and one line of captions, whose length is compared',
  },
  {
    of: /^transcoder\/task\//,
    why: 'the texts are paths and keys that we make, or are passed to parsers in this table',
  },
  {
    of: /^transcoder\/model\/(numbers\/rational-time|source\/video-stream)\.ts/,
    why: 'time bases and names of pixel formats as libav prints them',
  },
  {
    of: /^transcoder\/operations\/(?!captions\/|plan\/captions\/|redub\/(?!redub|voice)|visualize\/title)|#(assText|assColor|tagColor|enlargementOf|shape|rawInput|captionsText|isSpliced|farFrom|readableOn|readableIn)$/,
    why: 'our own labels, file names and colors',
  },
  {
    of: /^transcoder\/source\/(guarded-get|origin|resolve-host|sniff|strip-garbage|picture\/\w+)\.ts|^worker\/lib\/share-page\.ts|^guard\/url\.ts#addressIsAllowed$/,
    why: 'one URL or path; what they match is among the expressions',
  },
];
