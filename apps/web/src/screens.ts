import type { ComponentType } from 'react'

type Screen = () => Promise<ComponentType>

/** The screens a menu can name: exactly the component string of SPEC 2 plus the screen (DESIGN 4). */
export const screens: Readonly<Record<string, Screen>> = {
  'school/index': async () => (await import('./areas/school/SchoolPage.tsx')).SchoolPage,
  'device/index': async () => (await import('./areas/device/DevicePage.tsx')).DevicePage,
  'device/model/index': async () => (await import('./areas/device/DeviceModelPage.tsx')).DeviceModelPage,
  'schoolDevice/index': async () => (await import('./areas/device/SchoolDevicePage.tsx')).SchoolDevicePage,
  'warn/desk/index': async () => (await import('./areas/alarm/desk/DeskPage.tsx')).DeskPage,
  'warn/list/index': async () => (await import('./areas/alarm/rule/RulePage.tsx')).RulePage,
  'warn/record/index': async () => (await import('./areas/alarm/record/RecordPage.tsx')).RecordPage,
  'warn/warnLog/index': async () => (await import('./areas/alarm/log/LogPage.tsx')).LogPage,
}
