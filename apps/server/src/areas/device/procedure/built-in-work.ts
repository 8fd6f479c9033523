import type { BuiltInProcedure, WorkKind } from '@tocsin/contract/device/procedure/procedure'
import { builtInStep } from './built-in-step.ts'

type Text = readonly [zh: string, en: string]
const step = (text: Text, extra: Parameters<typeof builtInStep>[2] = {}) =>
  builtInStep('MAINTAINER', text, { mandatory: true, ...extra })

const work = (kind: WorkKind, [name, nameEn]: Text, steps: BuiltInProcedure['steps']): BuiltInProcedure => ({
  key: `work-${kind.toLowerCase()}`,
  kind: 'WORK',
  name,
  nameEn,
  class: null,
  levels: [],
  placeKinds: [],
  fromMin: null,
  toMin: null,
  work: kind,
  steps,
})

const voltage = { evidence: 'READING', unit: 'V', min: 3.3, max: 4.3 } as const

/** The work that every device needs in its life. */
export const builtInWork: readonly BuiltInProcedure[] = [
  work(
    'INSTALL',
    ['设备安装', 'Install a device'],
    [
      step([
        '核对位置：高度 1.2–1.5 米，不被门和柜子遮挡',
        'Check the place: 1.2 to 1.5 m high, not behind a door or cupboard',
      ]),
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['固定底座并上锁，拍下安装后的照片', 'Mount and lock the base, take a photo'], { evidence: 'PHOTO' }),
      step(['测量电池电压', 'Measure the battery voltage'], voltage),
      step(['测量信号强度', 'Measure the signal strength'], { evidence: 'READING', unit: 'dBm', min: -85, max: 0 }),
      step(['按一次按钮，确认接警台收到', 'Press once and confirm that the desk received it']),
      step(['张贴编号标签', 'Attach the number label'], { mandatory: false }),
    ],
  ),
  work(
    'ACCEPT',
    ['安装验收', 'Accept an installation'],
    [
      step(['核对位置与平面图一致', 'Compare the place with the floor plan']),
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['由学校人员按一次按钮，确认收到', 'Somebody of the school presses once; confirm that it arrived']),
      step(['拍下设备和周围环境', 'Photograph the device and its surroundings'], { evidence: 'PHOTO' }),
      step(['告知使用人：何时按、按后会发生什么', 'Explain when to press and what happens then']),
    ],
  ),
  work(
    'INSPECT',
    ['设备巡检', 'Inspect a device'],
    [
      step(['外观完好，底座牢固，标签清楚', 'Housing sound, base firm, label legible']),
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['测量电池电压', 'Measure the battery voltage'], voltage),
      step(['清洁按钮和麦克风', 'Clean the button and the microphone'], { mandatory: false }),
      step(['拍照', 'Take a photo'], { evidence: 'PHOTO' }),
    ],
  ),
  work(
    'BATTERY',
    ['更换电池', 'Replace the battery'],
    [
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['告知接警台：设备将短时离线', 'Tell the desk that the device will be offline for a moment']),
      step(['换上同型号新电池，正负极正确', 'Insert a new battery of the same type, poles correct']),
      step(['测量新电池电压', 'Measure the voltage of the new battery'], { ...voltage, min: 3.5 }),
      step(['按一次按钮，确认接警台收到', 'Press once and confirm that the desk received it']),
      step(['回收旧电池', 'Take the old battery back'], { mandatory: false }),
    ],
  ),
  work(
    'REPAIR',
    ['现场维修', 'Repair on site'],
    [
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['拍下故障现象', 'Photograph the fault'], { evidence: 'PHOTO' }),
      step(['断电，更换损坏的部件', 'Switch off and replace the broken part']),
      step(['测量电池电压', 'Measure the battery voltage'], voltage),
      step(['自检并按一次按钮，确认接警台收到', 'Self-test, press once and confirm that the desk received it']),
      step(['拍下修好后的设备', 'Photograph the repaired device'], { evidence: 'PHOTO' }),
    ],
  ),
  work(
    'RETIRE',
    ['设备报废', 'Retire a device'],
    [
      step(['扫描设备二维码', 'Scan the code of the device'], { evidence: 'SCAN' }),
      step(['确认该位置已有新设备，或学校同意拆除', 'Confirm that a new device is in place or the school agrees']),
      step(['拆下设备并取出电池', 'Take the device down and remove the battery']),
      step(['恢复出厂设置，清除密钥', 'Reset to factory settings and erase the secret']),
      step(['拍照留存', 'Take a photo'], { evidence: 'PHOTO' }),
    ],
  ),
]
