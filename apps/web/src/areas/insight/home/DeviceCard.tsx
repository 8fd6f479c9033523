import { useTranslation } from 'react-i18next'
import { usePathOf } from '#shell/path-of.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { StatFigure } from './StatFigure.tsx'
import { QueryPanel } from './QueryPanel.tsx'
import { useHome } from './AlarmCards.tsx'

const states = [
  ['OFFLINE', 'offline', 'alert'],
  ['LATE', 'late', 'warn'],
  ['NEVER_SEEN', 'neverSeen', 'warn'],
  ['ONLINE', 'online', undefined],
] as const

/** Devices in service by connectivity, problems first. */
export const DeviceCard = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const pathOf = usePathOf()
  const register = pathOf('device/index')
  const installed = pathOf('schoolDevice/index')
  const to = (state: string) => (register ? `${register}?lifecycle=IN_SERVICE&connectivity=${state}` : installed)
  return (
    <QueryPanel title={t('home.devices')} query={useHome()}>
      {({ devices }) =>
        devices && (
          <div className="home-figures">
            {states.map(([state, key, tone]) => (
              <StatFigure
                key={state}
                name={enumLabel('connectivity', state, lang)}
                value={devices[key]}
                to={to(state)}
                tone={tone}
              />
            ))}
          </div>
        )
      }
    </QueryPanel>
  )
}
