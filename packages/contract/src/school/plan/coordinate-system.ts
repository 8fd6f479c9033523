import type { EnumLabels } from '../../field.ts'

/** Systems in which people copy a position from elsewhere; positions are stored in the first. */
export const coordinateSystems = ['CGCS2000', 'GCJ02', 'BD09', 'WGS84'] as const
export type CoordinateSystem = (typeof coordinateSystems)[number]

const coordinateSystem: EnumLabels<CoordinateSystem> = {
  CGCS2000: ['CGCS2000（天地图）', 'CGCS2000 (Tianditu)'],
  GCJ02: ['GCJ-02（高德、腾讯）', 'GCJ-02 (Amap, Tencent)'],
  BD09: ['BD-09（百度）', 'BD-09 (Baidu)'],
  WGS84: ['WGS-84（GPS）', 'WGS-84 (GPS)'],
}
export const coordinateLabels = { coordinateSystem }
