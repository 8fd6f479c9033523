import { homes } from '@tocsin/contract/insight/home'
import { useQuery } from '@tanstack/react-query'
import { Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { usePathOf } from '#shell/path-of.ts'
import { QueryPanel } from '../QueryPanel.tsx'
import { StatFigure } from '../StatFigure.tsx'
import { EVERY_MS } from './refresh.ts'

/** Who is on duty at this moment, in numbers. */
export const DutyCard = () => {
  const { t } = useTranslation()
  const pathOf = usePathOf()
  const query = useQuery({ ...inlineQuery(homes.duty), refetchInterval: EVERY_MS })
  const [shifts, gaps] = [pathOf('security/shift'), pathOf('security/gap')]
  return (
    <QueryPanel title={t('home.duty')} extra={gaps && <Link to={gaps}>{t('home.gaps')}</Link>} query={query}>
      {({ planned, onDuty, late, absent }) =>
        planned === 0 ? (
          <Flex vertical gap="small" align="start">
            <div className="home-name">{t('home.noDuty')}</div>
            {shifts && <Link to={shifts}>{t('home.toShifts')}</Link>}
          </Flex>
        ) : (
          <div className="home-figures">
            <StatFigure name={t('home.onDuty')} value={onDuty} to={shifts} more={t('home.planned', { n: planned })} />
            <StatFigure name={t('home.late')} value={late} to={shifts} tone="warn" />
            <StatFigure name={t('home.absent')} value={absent} to={shifts} tone="warn" />
          </div>
        )
      }
    </QueryPanel>
  )
}
