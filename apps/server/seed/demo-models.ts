import type { Row } from '#db/tables'

const none = { twoWayAudio: false, siren: false, led: false, keywordPack: false, ota: false, silent: false }

/** JSON schemas of command payloads, as a manufacturer would give them. */
const commands = {
  light: { LED: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
  care: { REBOOT: { type: 'object' }, SELF_TEST: { type: 'object' }, TIME_SYNC: { type: 'object' } },
  speech: {
    PLAY_TTS: { type: 'object', properties: { text: { type: 'string', maxLength: 200 } }, required: ['text'] },
    TALK_START: { type: 'object' },
    TALK_STOP: { type: 'object' },
    LISTEN: { type: 'object', properties: { on: { type: 'boolean' }, seconds: { type: 'integer', maximum: 180 } } },
  },
  siren: { SIREN: { type: 'object', properties: { seconds: { type: 'integer', minimum: 1, maximum: 300 } } } },
}

type ModelSeed = Pick<
  Row<'deviceModel'>,
  'productKey' | 'name' | 'kind' | 'protocol' | 'power' | 'alarmCodes' | 'capabilities' | 'commandSchema'
>
export const demoModels = {
  button: {
    productKey: 'demobtn01',
    name: 'B1 报警按钮',
    kind: 'PANIC_BUTTON',
    protocol: 'TOCSIN',
    power: 'MAINS',
    alarmCodes: ['PANIC'],
    capabilities: { ...none, led: true, ota: true, silent: true },
    commandSchema: { ...commands.light, ...commands.care },
  },
  voice: {
    productKey: 'demovoice1',
    name: 'V1 语音终端',
    kind: 'VOICE_TERMINAL',
    protocol: 'TOCSIN',
    power: 'POE',
    alarmCodes: ['PANIC', 'VOICE_HELP', 'VOICE_ABUSE'],
    capabilities: { ...none, twoWayAudio: true, led: true, keywordPack: true, ota: true },
    commandSchema: { ...commands.light, ...commands.care, ...commands.speech },
  },
  pillar: {
    productKey: 'demopillar',
    name: 'P1 报警柱',
    kind: 'PANIC_PILLAR',
    protocol: 'TOCSIN',
    power: 'MAINS',
    alarmCodes: ['PANIC'],
    capabilities: { ...none, twoWayAudio: true, siren: true, led: true, ota: true },
    commandSchema: { ...commands.light, ...commands.care, ...commands.speech, ...commands.siren },
  },
  gateway: {
    productKey: 'demogate01',
    name: 'G1 校园网关',
    kind: 'GATEWAY',
    protocol: 'TOCSIN',
    power: 'POE',
    alarmCodes: [],
    capabilities: { ...none, led: true, ota: true },
    commandSchema: commands.care,
  },
  camera: {
    productKey: 'democam001',
    name: 'C1 摄像机',
    kind: 'CAMERA',
    protocol: 'GB28181',
    power: 'POE',
    alarmCodes: [],
    capabilities: none,
    commandSchema: {},
  },
} as const satisfies Record<string, ModelSeed>
