/** What is wrong with the settings of the operator's speech API, which Worker and transcoder have alike; null if nothing is. */
export function speechApiFault(url: string, transcriptionModel: string, speechModel: string): string | null {
  const models = 'SPEECH_API_TRANSCRIPTION_MODEL or SPEECH_API_SPEECH_MODEL';
  const named = transcriptionModel !== '' || speechModel !== '';
  if (url !== '' && !named) return `${models}: one must be set, because SPEECH_API_URL is`;
  if (url === '' && named) return `SPEECH_API_URL: must be set, because ${models} is`;
  return null;
}
