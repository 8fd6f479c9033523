import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDarkTheme } from '../chart/use-dark-theme.ts'
import type { MapTexts } from './map-engine.ts'

type Parts = { container: HTMLElement; texts: MapTexts }

type EngineStart<Options, Engine> = {
  label: string
  /** Another key builds the map anew. */
  startKey: string
  load: () => Promise<(options: Options & Parts) => Engine>
  options: (reportFailure: () => void) => Options
}

type MapEngine = { restyle: () => void; destroy: () => void }

/** Starts an engine in the container once its code is loaded, restyles it with the theme, and removes it at the end. */
export const useMapEngine = <Options extends object, Engine extends MapEngine>({
  label,
  startKey,
  load,
  options,
}: EngineStart<Options, Engine>) => {
  const { t } = useTranslation()
  const isDark = useDarkTheme()
  const container = useRef<HTMLDivElement>(null)
  const [engine, setEngine] = useState<Engine>()
  const [hasFailed, setHasFailed] = useState(false)

  const start = useEffectEvent(async (isGone: () => boolean): Promise<Engine | undefined> => {
    const createEngine = await load()
    if (isGone() || !container.current) return undefined
    const texts = {
      title: label,
      zoomIn: t('map.zoomIn'),
      zoomOut: t('map.zoomOut'),
      metres: t('map.metres'),
      kilometres: t('map.kilometres'),
      marker: t('map.marker'),
      corner: t('map.corner'),
    }
    return createEngine({ ...options(() => setHasFailed(true)), container: container.current, texts })
  })
  useEffect(() => {
    let isGone = false
    let started: Engine | undefined
    start(() => isGone).then(
      (made) => {
        // An earlier start may end after the later one, whose code was loaded already.
        if (isGone) return
        started = made
        setEngine(made)
      },
      () => setHasFailed(true),
    )
    return () => {
      isGone = true
      started?.destroy()
      setEngine(undefined)
    }
  }, [startKey])
  useEffect(() => engine?.restyle(), [engine, isDark])
  return { container, engine, hasFailed }
}
