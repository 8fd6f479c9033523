import type { MapBase } from '@tocsin/contract/insight/map'
import { wallLinks } from '@tocsin/contract/insight/wall'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseBaseLayers } from '#ui/map/base-layers.ts'
import type { MapBaseLayers } from '#ui/map/map-shapes.ts'
import { readBase } from './read-board.ts'

/** A wall hangs for months: the base map may be configured, or come back, while it does. */
const AGAIN_MS = 10 * 60_000

/** The base map by the token of the link; undefined without one. */
export const useWallBase = (token: string): MapBaseLayers | undefined => {
  const { t } = useTranslation()
  const [base, setBase] = useState<MapBase>()
  useEffect(() => {
    let isGone = false
    const read = async () => {
      const found = await readBase(token)
      // What is shown stays through a failure: building the map anew would make the wall flicker.
      if (!isGone && found) setBase((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    void read()
    const timer = setInterval(() => void read(), AGAIN_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [token])
  return useMemo(() => {
    const choice = { kind: 'vec', annotations: true, path: wallLinks.tile.path } as const
    const layers = chooseBaseLayers(base, choice, t('map.attribution'))
    return layers && { ...layers, linkToken: token }
  }, [base, token, t])
}
