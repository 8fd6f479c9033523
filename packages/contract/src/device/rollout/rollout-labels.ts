import { rolloutStateLabels } from '../../codes/rollout-codes.ts'
import type { EnumLabels } from '../../field.ts'
import type { PackageKind } from './rollout.ts'
import type { PersonRolloutVerb, RolloutDeviceState, RolloutState } from './rollout-machine.ts'

const packageKind: EnumLabels<PackageKind> = {
  FIRMWARE: ['固件', 'Firmware'],
  CONFIG: ['配置', 'Configuration'],
  KEYWORD_PACK: ['关键词包', 'Keyword pack'],
  VOICE_PROMPT: ['语音提示', 'Voice prompts'],
}

const rolloutDeviceState: EnumLabels<RolloutDeviceState> = {
  QUEUED: ['排队', 'Queued'],
  INITIATED: ['已开始', 'Started'],
  DOWNLOADING: ['下载中', 'Downloading'],
  DOWNLOADED: ['已下载', 'Downloaded'],
  VERIFIED: ['已校验', 'Verified'],
  UPDATING: ['更新中', 'Updating'],
  UPDATED: ['已更新', 'Updated'],
  FAILED: ['失败', 'Failed'],
  ROLLED_BACK: ['已回退', 'Rolled back'],
}

const rolloutVerb: EnumLabels<PersonRolloutVerb> = {
  approve: ['批准', 'Approve'],
  start: ['开始', 'Start'],
  pause: ['暂停', 'Pause'],
  resume: ['继续', 'Resume'],
  abort: ['中止', 'Abort'],
  rollBack: ['回退', 'Roll back'],
  delete: ['删除', 'Delete'],
}

export const rolloutLabels = {
  packageKind,
  rolloutState: rolloutStateLabels satisfies EnumLabels<RolloutState>,
  rolloutDeviceState,
  rolloutVerb,
}
